import { googleCredential, type Headers } from "../../core/provider-kit/index.ts";
import { authTypeOf, type VertexOptions } from "./options.ts";

const name = "vertex-ai";

/** The headers of a credential that has to be fetched; undefined where the token is given. */
export function fetchedCredential(options: VertexOptions): (() => Promise<Headers>) | undefined {
  const { serviceAccountJson: account, workloadIdentity: federation, tokenUrl } = options;
  const type = authTypeOf(options);
  if (type === "basic" || type === "apiKey") return undefined;
  return type === "workload"
    ? googleCredential({ name, type, federation })
    : googleCredential({ name, type, account, option: "serviceAccountJson", tokenUrl });
}
