import { defineProvider } from "../../core/provider-kit/index.ts";
import { chatFrame, chatOf } from "./answer.ts";
import { headerOptions, lacksIn, options } from "./options.ts";
import { chatDetails, drops } from "./request.ts";
import { signatureOf } from "./sign.ts";

export default defineProvider({
  name: "oracle",
  summary: "Oracle OCI Generative AI: models of many makers in a compartment at Oracle; calls are signed with a key.",
  baseUrl: ({ region }) => `https://inference.generativeai.${region}.oci.oraclecloud.com`,
  options,
  headerOptions,
  // A key signs for its owner's things only: those of the file are not mixed with a caller's.
  tenantOptions: ["tenancy", "user", "fingerprint", "compartmentId"],
  lacks: lacksIn,
  // The signature is made of the finished call.
  authenticate: () => ({}),
  sign: signatureOf,
  operations: ({ apiVersion, compartmentId = "", servingMode }) => ({
    chat: {
      format: "openai-chat",
      path: `/${apiVersion}/actions/chat`,
      drops,
      rewrite: { when: ["{"], apply: (wire, report) => chatDetails(wire, compartmentId, servingMode, report) },
      normalise: chatOf,
      normaliseFrame: chatFrame,
    },
  }),
  proxyPath: (path, { apiVersion }) => (/^\/\d{8}\//.test(path) ? path : `/${apiVersion}${path}`),
});
