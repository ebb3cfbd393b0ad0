// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The theme calls `transform` with what is typed into the search, and searches for its result and for words that begin
// so. In it signs have a meaning, such as the colon, so those of C++ go. A whole name counts more than a part of one.
var __search = {
  transform: function (typed) {
    const words = typed.split(/[\s\-,:!=\[\]()"\/.<>&;|{}*+^~]+/).filter(word => word);
    const isName = words.length === 1 || /^[\w:~]+$/.test(typed.trim());
    return isName && words.length ? [`${words.at(-1)}^20`].concat(words).join(" ") : words.join(" ");
  }
};

// The theme keeps the scheme of the first visit. Here the scheme follows that of the system until the switch is used.
(function () {
  if (!__md_get("weir.switched")) localStorage.removeItem(`${__md_scope.pathname}.__palette`);
  document.addEventListener("click", event => {
    if (event.target.closest && event.target.closest("[data-md-component=palette] label")) __md_set("weir.switched", true);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", event => {
    const option = document.querySelector(`[data-md-color-scheme="${event.matches ? "slate" : "default"}"].md-option`);
    if (option && !__md_get("weir.switched")) option.click();
  });
})();
