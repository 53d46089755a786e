import { hash, timingSafeEqual } from "node:crypto";
import { type Endpoint, type Exchange, GatewayError, type Principal, type Secret } from "../../core/index.ts";

const reader: Principal = Object.freeze({ id: "metrics", name: "metrics", scopes: [] });

/** Who may read an endpoint: whoever sends the token. Of anything else it says nothing. */
export function gate(endpoint: Endpoint, token: Secret): (exchange: Exchange) => Principal | undefined {
  const wanted = digest(token.reveal());
  return ({ endpoint: asked, headers }) => {
    if (asked !== endpoint) return undefined;
    const [, sent = ""] = /^bearer\s+(.+)$/i.exec(headers.authorization ?? "") ?? [];
    if (timingSafeEqual(digest(sent.trim()), wanted)) return reader;
    throw new GatewayError("invalid_api_key", `${endpoint.path} wants its token, as \`authorization: Bearer …\`.`);
  };
}

/** Of one length, whatever was sent. */
const digest = (value: string): Buffer => hash("sha256", value, "buffer");
