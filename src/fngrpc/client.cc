#include <grpcpp/grpcpp.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "base/world_error.h"
#include "fngrpc/internal/evaluator.grpc.pb.h"
#include "fngrpc/link.h"

namespace portico::fngrpc {
namespace {

Error as_error(const grpc::Status& status, const std::string& address) {
  if (status.error_code() == grpc::StatusCode::NOT_FOUND)
    return not_found("{}", status.error_message());
  const Remedy remedy = remedy_of_grpc(status.error_code(), status.error_message());
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    return error_for(remedy, fmt::format("function runner {} did not respond in time", address));
  // Messages of the function itself are passed on without the server's name.
  if (remedy != Remedy::kRetry) return error_for(remedy, status.error_message());
  return error_for(remedy, fmt::format("function runner {}: {}", address, status.error_message()));
}

class Client final : public fnrun::Evaluator {
 public:
  Client(const std::string& address, const fnrun::EvaluatorOptions& options)
      : address_(address), timeout_(options.timeout), stopped_(options.stopped) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(static_cast<int>(options.message_bytes));
    arguments.SetMaxSendMessageSize(static_cast<int>(options.message_bytes));
    stub_ = evaluator::FunctionEvaluator::NewStub(
        grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  }

  Result<fnrun::EvaluateReply> evaluate(const fnrun::EvaluateRequest& request) const override {
    evaluator::EvaluateFunctionRequest message;
    message.set_image(request.image);
    message.set_resource_list(request.resource_list);
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + timeout_);
    evaluator::EvaluateFunctionResponse reply;
    PORTICO_TRY(const grpc::Status status, call(context, message, reply));
    if (status.error_code() == grpc::StatusCode::CANCELLED && stopped_())
      return unavailable("stopped while waiting for function runner {}", address_);
    if (!status.ok()) return as_error(status, address_);
    return fnrun::EvaluateReply{std::move(*reply.mutable_resource_list()),
                                std::move(*reply.mutable_log())};
  }

 private:
  // Waits for both the answer and `stopped_`. After a stop it still waits for the canceled call to
  // end.
  Result<grpc::Status> call(grpc::ClientContext& context,
                            const evaluator::EvaluateFunctionRequest& message,
                            evaluator::EvaluateFunctionResponse& reply) const {
    const Fd answered(::eventfd(0, EFD_CLOEXEC));
    if (!answered) return unavailable("cannot create an eventfd: {}", strerror(errno));
    grpc::Status status;
    stub_->async()->EvaluateFunction(&context, &message, &reply, [&](grpc::Status answer) {
      status = std::move(answer);
      ::eventfd_write(answered.get(), 1);
    });
    std::array<pollfd, 2> polled{{{answered.get(), POLLIN, 0}, {stopped_.descriptor(), POLLIN, 0}}};
    bool canceled = false;
    while (polled[0].revents == 0) {
      if (!canceled && stopped_()) {
        context.TryCancel();
        polled[1].fd = -1;
        canceled = true;
      }
      ::poll(polled.data(), polled.size(), canceled ? -1 : milliseconds_until(stopped_.at()));
    }
    return status;
  }

  // Timeout for poll(2): -1 waits forever.
  static int milliseconds_until(Stop::Time at) {
    if (at == Stop::Time::max()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(at - Stop::Time::clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
  }

  std::string address_;
  std::chrono::milliseconds timeout_;
  Stop stopped_;
  std::unique_ptr<evaluator::FunctionEvaluator::Stub> stub_;
};

}  // namespace

std::unique_ptr<fnrun::Evaluator> GrpcLink::connect(const std::string& address,
                                                    const fnrun::EvaluatorOptions& options) const {
  return std::make_unique<Client>(address, options);
}

}  // namespace portico::fngrpc
