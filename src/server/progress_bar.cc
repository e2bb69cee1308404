#include "server/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace cairn::server {
namespace {
constexpr int kWidth = 30;
constexpr std::chrono::milliseconds kRedrawEvery{100};
}  // namespace

ProgressBar::ProgressBar(std::string what, uint64_t total)
    : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO)) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputc('\n', stderr);
}

void ProgressBar::Update(uint64_t done) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (drawn_ && now - last_ < kRedrawEvery && done < total_) return;
  last_ = now;
  drawn_ = true;
  if (total_ == 0) {
    std::fprintf(stderr, "\r%s: %llu rows", what_.c_str(), static_cast<unsigned long long>(done));
    return;
  }
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  std::string bar(static_cast<size_t>(share * kWidth), '#');
  bar.resize(kWidth, '.');
  std::fprintf(stderr, "\r%s: [%s] %3.0f%%  %llu of %llu", what_.c_str(), bar.c_str(), share * 100,
               static_cast<unsigned long long>(done), static_cast<unsigned long long>(total_));
}

}  // namespace cairn::server
