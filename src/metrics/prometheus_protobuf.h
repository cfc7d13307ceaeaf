// The protobuf format of metrics, io.prometheus.client.MetricFamily, each with its length in front. quantize() is a
// classic and a native histogram (schema 0: bounds are powers of two).
//
// D counts v from 2^k up to 2^(k+1) - 1, a native bucket v from 2^k + 1 up to 2^(k+1): the native histogram counts v +
// 1, so no value moves to another bucket.
#pragma once

#include <string>
#include <vector>

#include "metrics/metric_family.h"

namespace dscope {

std::string prometheus_protobuf(const std::vector<MetricFamily>& families);

}  // namespace dscope
