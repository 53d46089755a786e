import { bearer, defineProvider } from "../../core/provider-kit/index.ts";
import { chatFrame, chatOf } from "./answer.ts";
import { headerOptions, keyOf, lacksIn, options } from "./options.ts";
import { chatDetails, drops } from "./request.ts";
import { signatureOf } from "./sign.ts";

export default defineProvider({
  name: "oracle",
  summary:
    "Oracle OCI Generative AI: models of many makers in a compartment at Oracle, by signed calls or by a key of the service.",
  baseUrl: ({ region }) => `https://inference.generativeai.${region}.oci.oraclecloud.com`,
  options,
  headerOptions,
  // A key signs for its owner's things only: those of the file are not mixed with a caller's.
  tenantOptions: ["tenancy", "user", "fingerprint", "compartmentId"],
  lacks: lacksIn,
  // The signature is made of the finished call.
  authenticate: (given) => {
    if (given.authType === "signature") return {};
    const key = keyOf(given);
    return key && { ...bearer(key), ...(given.project !== undefined && { "openai-project": given.project }) };
  },
  sign: (call, given) => (given.authType === "apiKey" ? {} : signatureOf(call, given)),
  operations: (given) => {
    const { apiVersion, compartmentId = "", servingMode } = given;
    // docs.oracle.com, "OCI OpenAI-Compatible Endpoints": keys of the service are for these.
    if (given.authType === "apiKey")
      return {
        chat: [
          { format: "openai-chat", path: "/openai/v1/chat/completions" },
          { format: "openai-responses", path: "/openai/v1/responses" },
        ],
      };
    return {
      chat: {
        format: "openai-chat",
        path: `/${apiVersion}/actions/chat`,
        drops,
        rewrite: { when: ["{"], apply: (wire, report) => chatDetails(wire, compartmentId, servingMode, report) },
        normalise: chatOf,
        normaliseFrame: chatFrame,
      },
    };
  },
  proxyPath: (path, given) => {
    if (/^\/(?:\d{8}|openai)\//.test(path)) return path;
    return `/${given.authType === "apiKey" ? "openai/v1" : given.apiVersion}${path}`;
  },
});
