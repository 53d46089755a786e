import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import { reportUsage } from "./usage.ts";

/** What everything is measured against: node:http in front, undici behind, nothing in between. */
const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 256, headersTimeout: 0, bodyTimeout: 0 });

const server = createServer((request, response) => {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const length = request.headers["content-length"];
  if (length !== undefined) headers["content-length"] = length;
  pool.stream(
    { path: request.url ?? "/", method: "POST", headers, body: request },
    ({ statusCode, headers }) => response.writeHead(statusCode, headers as Record<string, string>),
    (error) => {
      if (error) response.destroy(error);
    },
  );
});
server.keepAliveTimeout = 60_000;
reportUsage();
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
