# SPDX-FileCopyrightText: 2026 The weir authors
# SPDX-License-Identifier: Apache-2.0
"""What S prints in its tables, what its programs take, and what others have published of their sorts."""

# S's programs, 250 MB in memory, 25 MB for them, two threads, measured on another day: seconds, CPU seconds, peak MB. By payload, with OpenMP and with FastFlow.
S_PROGRAMS = {16: ((10.6, 17.8, 73), (18.7, 20.5, 122)), 64: ((6.83, 11.2, 53), (11.9, 13.1, 89)),
              512: ((1.88, 2.5, 41), (2.70, 2.75, 69)), 2048: ((1.65, 1.7, 39), (1.87, 1.8, 65))}
# S's table 1: the speedup over its sequential program by threads, in memory and on NFS, with OpenMP, FastFlow without mapping, and FastFlow blocking.
S_TABLE_1 = {
    "memory": {2: (1.66, 1.05, 1.01), 4: (2.61, 2.12, 2.15), 8: (3.4, 3.07, 3.11), 12: (3.91, 3.37, 3.58), 16: (3.71, 3.87, 3.8),
               20: (3.8, 2.81, 3.48), 24: (3.69, 2.64, 3.79), 28: (4.24, 3, 3.57), 32: (4.41, 2.76, 3.74)},
    "disk": {2: (1.47, 0.95, 0.99), 4: (1.5, 1.69, 1.97), 8: (2.57, 2.56, 2.61), 12: (2.17, 2.23, 2.67), 16: (3.06, 2.65, 2.68),
             20: (2.1, 1.84, 2.61), 24: (2.53, 1.86, 2.5), 28: (2.38, 1.77, 2.47), 32: (2.35, 1.74, 2.49)},
}
# Table 2: with OpenMP on one thread fewer. The rest of it is table 1's.
S_TABLE_2 = {2: 1.12, 4: 2.3, 8: 3.07, 12: 3.71, 16: 4.11, 20: 4.18, 24: 3.78, 28: 4.33, 32: 4.29}
# Table 3: by nodes, in memory and on NFS.
S_TABLE_3 = {"memory": {2: 0.91, 3: 1.38, 4: 1.23, 5: 1.69, 6: 2.1, 7: 2.26, 8: 2.35},
             "disk": {2: 1.08, 3: 1.45, 4: 1.34, 5: 1.64, 6: 2, 7: 2.13, 8: 2.18}}
# GB/s of each node of sorts that run on many: published.
PER_NODE = {"Tencent Sort, 2016": 2.0, "Exoshuffle": 0.465, "TritonSort": 0.3}
