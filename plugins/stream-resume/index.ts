import { definePlugin, type Resume, Routing, z } from "../../core/index.ts";

export default definePlugin({
  name: "stream-resume",
  summary: "Adds to the routing config what happens when a stream dies half-way: an error, or the next target.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    const routing = service(Routing);
    const schema = z.enum(["error", "restart"]).describe("What happens when a stream dies after it has begun.");
    routing.field({ name: "stream_resume", schema, inherit: "nearest" });
    routing.calls((target, { fields }, _walk, inner) => {
      const resume = fields.stream_resume as Resume | undefined;
      return inner(resume === undefined ? target : { ...target, resume });
    });
  },
});
