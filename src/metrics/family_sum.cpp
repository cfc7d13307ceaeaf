#include "metrics/family_sum.h"

#include <algorithm>

namespace dscope {

namespace {

void add_optional(std::optional<MetricNumber>& into, const std::optional<MetricNumber>& value) {
  if (into && value) *into = *into + *value;
}

void add_buckets(std::vector<MetricBucket>& into, const std::vector<MetricBucket>& buckets) {
  for (const MetricBucket& bucket : buckets) {
    auto place = std::ranges::lower_bound(into, bucket.bound, {}, &MetricBucket::bound);
    if (place != into.end() && place->bound == bucket.bound) place->count += bucket.count;
    else into.insert(place, bucket);
  }
}

void add_point(MetricKind kind, MetricPoint& into, const MetricPoint& point) {
  if (kind == MetricKind::Counter) into.value = into.value + point.value;
  if (kind == MetricKind::Histogram) add_buckets(into.buckets, point.buckets);
  into.created_ns = point.created_ns;
  add_optional(into.count, point.count);
  add_optional(into.sum, point.sum);
}

}  // namespace

void add_earlier(MetricFamily& family, const std::vector<MetricFamily>& earlier) {
  if (family.kind == MetricKind::Gauge) return;
  auto same = std::ranges::find_if(earlier, [&](const MetricFamily& each) {
    return each.name == family.name && each.kind == family.kind && each.scale == family.scale;
  });
  if (same == earlier.end()) return;
  for (MetricPoint& point : family.points)
    if (point.created_ns == 0) point.created_ns = family.created_ns;
  for (const MetricPoint& earlier_point : same->points) {
    MetricPoint point = earlier_point;
    point.created_ns = same->created_of(point);
    auto found = std::ranges::find(family.points, point.labels, &MetricPoint::labels);
    if (found != family.points.end()) add_point(family.kind, *found, point);
    else if (point.quantiles.empty()) family.points.push_back(point);
  }
}

}  // namespace dscope
