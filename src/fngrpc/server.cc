#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include "fngrpc/internal/evaluator.grpc.pb.h"
#include "fngrpc/link.h"

namespace portico::fngrpc {
namespace {

grpc::Status as_status(const Error& error) {
  const auto code = [&] {
    switch (error.code) {
      case Code::kNotFound:
        return grpc::StatusCode::NOT_FOUND;
      case Code::kUnavailable:
        return grpc::StatusCode::UNAVAILABLE;
      default:
        return grpc::StatusCode::INTERNAL;  // as Porch's runners report a failed function
    }
  }();
  return {code, error.text()};
}

class Service final : public evaluator::FunctionEvaluator::Service {
 public:
  explicit Service(fnrun::EvaluateHandler handler) : handler_(std::move(handler)) {}

  grpc::Status EvaluateFunction(grpc::ServerContext* /*context*/,
                                const evaluator::EvaluateFunctionRequest* request,
                                evaluator::EvaluateFunctionResponse* response) override {
    Result<fnrun::EvaluateReply> reply = handler_({request->image(), request->resource_list()});
    if (!reply) return as_status(reply.error());
    response->set_resource_list(std::move(reply->resource_list));
    response->set_log(std::move(reply->log));
    return grpc::Status::OK;
  }

 private:
  const fnrun::EvaluateHandler handler_;
};

class Server final : public fnrun::EvaluatorServer {
 public:
  explicit Server(fnrun::EvaluateHandler handler) : service_(std::move(handler)) {}
  ~Server() override {
    if (server_) server_->Shutdown();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  bool listen(const std::string& address, const fnrun::EvaluatorOptions& options) {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::ServerBuilder builder;
    builder.SetMaxReceiveMessageSize(static_cast<int>(options.message_bytes));
    builder.SetMaxSendMessageSize(static_cast<int>(options.message_bytes));
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port_);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    return server_ != nullptr && port_ != 0;
  }
  int port() const override { return port_; }

 private:
  Service service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

Result<std::unique_ptr<fnrun::EvaluatorServer>> GrpcLink::serve(
    const std::string& address, fnrun::EvaluateHandler handler,
    const fnrun::EvaluatorOptions& options) const {
  auto server = std::make_unique<Server>(std::move(handler));
  if (!server->listen(address, options)) return unavailable("cannot listen on {}", address);
  return std::unique_ptr<fnrun::EvaluatorServer>(std::move(server));
}

}  // namespace portico::fngrpc
