// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_PLATFORM_H
#define WEIR_FF_PLATFORM_H

#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#define ALIGN_TO_PRE(n)
#define ALIGN_TO_POST(n) __attribute__((aligned(n)))

#endif
