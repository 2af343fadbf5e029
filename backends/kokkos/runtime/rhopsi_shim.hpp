// What emitted code includes. One source for Kokkos 3.4 to 5 and for Serial, OpenMP and CUDA.
#pragma once

#include "rhopsi_arrays.hpp"
#include "rhopsi_boxes.hpp"
#include "rhopsi_field.hpp"
#include "rhopsi_index.hpp"
#include "rhopsi_kernels.hpp"
#include "rhopsi_one_shape.hpp"
#include "rhopsi_pipeline.hpp"
#include "rhopsi_platform.hpp"
#include "rhopsi_runs.hpp"
#include "rhopsi_scalar.hpp"
#include "rhopsi_shapes.hpp"
#include "rhopsi_strips.hpp"
#include "rhopsi_teams.hpp"
#include "rhopsi_tiles.hpp"
#include "rhopsi_unroll.hpp"
#ifndef __CUDACC__
#include "rhopsi_fold_blocks.hpp"
#include "rhopsi_fold_tiles.hpp"
#endif
