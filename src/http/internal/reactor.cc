#include "http/internal/reactor.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "base/alternate_stack.h"
#include "base/guarded.h"

namespace portico::http::internal {

namespace asio = boost::asio;

struct Reactor::Impl {
  explicit Impl(std::size_t count)
      : io(static_cast<int>(count)), work(io.get_executor()), alarm(io) {}

  asio::io_context io;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  Guarded<asio::steady_timer> alarm;
  std::vector<std::thread> threads;
};

struct Watched::Impl {
  explicit Impl(asio::io_context& io) : descriptor(io) {}
  ~Impl() {
    if (descriptor.is_open()) descriptor.release();  // this also cancels its waits
  }
  asio::posix::stream_descriptor descriptor;
};

Watched::Watched(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Watched::~Watched() = default;

std::unique_ptr<Watched> Watched::make(Reactor& reactor, int fd) {
  auto impl = std::make_unique<Impl>(reactor.impl_->io);
  boost::system::error_code error;
  impl->descriptor.assign(fd, error);
  if (error) return nullptr;
  return std::unique_ptr<Watched>(new Watched(std::move(impl)));
}

void Watched::wait_readable(std::shared_ptr<Waiter> waiter) {
  impl_->descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                               [waiter = std::move(waiter)](boost::system::error_code error) {
                                 if (!error) waiter->readable();
                               });
}

void Watched::wait_writable(std::shared_ptr<Waiter> waiter) {
  impl_->descriptor.async_wait(asio::posix::stream_descriptor::wait_write,
                               [waiter = std::move(waiter)](boost::system::error_code error) {
                                 if (!error) waiter->writable();
                               });
}

Reactor::Reactor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Reactor>> Reactor::start(std::size_t threads) {
  try {
    std::unique_ptr<Reactor> reactor(new Reactor(std::make_unique<Impl>(threads)));
    Impl* const impl = reactor->impl_.get();
    for (std::size_t i = 0; i < threads; ++i)
      impl->threads.emplace_back([impl] {
        prepare_alternate_stack();
        impl->io.run();
      });
    return reactor;
  } catch (const std::exception& error) {
    return unavailable("cannot start the threads of a server: {}", error.what());
  }
}

Reactor::~Reactor() { stop(); }

void Reactor::stop() {
  impl_->io.stop();
  for (std::thread& thread : impl_->threads) thread.join();
  impl_->threads.clear();
}

void Reactor::post(std::function<void()> task) { asio::post(impl_->io, std::move(task)); }

void Reactor::set_alarm(Instant when, std::function<void()> ring) {
  impl_->alarm.with([&](asio::steady_timer& alarm) {
    alarm.expires_at(when);
    alarm.async_wait([ring = std::move(ring)](boost::system::error_code error) {
      if (!error) ring();
    });
  });
}

}  // namespace portico::http::internal
