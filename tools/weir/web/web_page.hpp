// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// The page, one document, and the header that lets it use only what is in it.
struct web_page {
  std::string html;
  std::string content_security_policy;
};

/// Returns the page, composed of the files in `page/`, which are compiled in.
web_page make_web_page();
