import {
  awsCaller,
  awsDomainOf,
  awsHeaders,
  defineProvider,
  modelsAt,
  readAwsError,
} from "../../core/provider-kit/index.ts";
import { batchProcedures } from "./batches.ts";
import { invocation, invocationDefaults, invocationHeaders, invokePath, isClaude, mayBeClaude } from "./claude.ts";
import { converse } from "./converse.ts";
import { countsOf } from "./counting.ts";
import { embeddings } from "./embeddings.ts";
import { completions, flattenedChats, isOldChat, whyNot } from "./families.ts";
import { fileProcedures } from "./files.ts";
import { imagesOf } from "./images.ts";
import { control } from "./jobs.ts";
import { lineFormats } from "./lines.ts";
import { options, service } from "./options.ts";
import { findModel, modelBehind } from "./profiles.ts";
import { withArn } from "./rerank.ts";
import { storageFields, storageHeaders } from "./storage.ts";
import { tuningProcedures } from "./tuning.ts";

export default defineProvider({
  name: "bedrock",
  summary:
    "AWS Bedrock: the models of many makers, by Converse; Claude in its own format, too; older ones by invocations.",
  baseUrl: (options) => `https://bedrock-runtime.${options.region}.${awsDomainOf(options)}`,
  options,
  ...awsCaller(service),
  headerOptions: { ...awsHeaders, anthropicBeta: "anthropic-beta", ...storageHeaders },
  // In no header: clients of the maker's own say there what its own host has.
  configFields: { anthropicVersion: ["anthropic_version"], ...storageFields },
  forwards: invocationHeaders,
  operations: (given) => ({
    chat: [
      { ...converse(given.anthropicBeta), serves: (model) => !isOldChat(model) },
      {
        format: "anthropic-messages",
        serves: isClaude,
        path: invokePath,
        framing: "aws-event-stream",
        // In the body they stay.
        bodyHeaders: {},
        defaults: invocationDefaults(given),
        headerFields: { "anthropic-beta": "anthropic_beta", "anthropic-user-profile-id": "user_profile_id" },
        rewrite: { when: ["{"], apply: invocation },
      },
      ...flattenedChats,
      // Its own clients say what they say.
      { format: "anthropic-messages-bedrock", serves: mayBeClaude },
    ],
    complete: completions,
    count: countsOf(given),
    embed: embeddings,
    image: imagesOf,
    rerank: {
      format: "bedrock-rerank",
      path: "/rerank",
      // One host serves the models, another one knowledge bases and ranking.
      ...(given.baseUrl === undefined && {
        origin: `https://bedrock-agent-runtime.${given.region}.${awsDomainOf(given)}`,
      }),
      rewrite: { when: ["{"], apply: (wire) => withArn(wire, given.region) },
    },
  }),
  // What models there are the host knows that keeps jobs.
  proxyPath: (path, given) => modelsAt(path, control(given, "/foundation-models")),
  batchOperations: { chat: lineFormats },
  procedures: (given) => ({ ...fileProcedures(given), ...batchProcedures(given), ...tuningProcedures(given) }),
  whyNot,
  modelBehind,
  findModel,
  readError: readAwsError,
});
