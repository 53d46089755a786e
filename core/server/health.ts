import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What load balancers are told. */
export interface Health {
  readonly version: string;
  /** False while starting and while shutting down. */
  ready(): boolean;
  /** What is served with, by the names of services. Of what is out of reach requests are served without as far as that goes. */
  components(): readonly { readonly name: string; readonly status: "ok" | "degraded" }[];
}

/** A greeting, liveness (always, while the process answers) and readiness. None of them needs a credential. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  const alive = { status: "success", message: "Server is healthy", version: health.version };
  const asked = ["GET", "HEAD"];
  const route = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown) =>
    app.route({ method: asked, url, handler });
  route("/", (_request, reply) => reply.type("text/plain; charset=utf-8").send("Sluice is running.\n"));
  route("/v1/health", (_request, reply) => reply.send(alive));
  route("/v1/ready", (_request, reply) => {
    const components = health.components();
    if (!health.ready()) return reply.code(503).header("retry-after", "5").send({ status: "not ready", components });
    const degraded = components.flatMap(({ name, status }) => (status === "degraded" ? name : []));
    return reply.send({ status: "ready", components, ...(degraded.length > 0 && { degraded }) });
  });
}
