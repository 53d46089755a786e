import {
  type Asked,
  type Batch,
  type BatchRequest,
  type ClientProcedure,
  compact,
  type Fields,
  fieldsBeyond,
  GatewayError,
  parseRequest,
  z,
} from "../../core/index.ts";
import { named, pageQuery } from "./asked.ts";
import { outputOf } from "./batch-output.ts";
import { listed } from "./listed.ts";
import { foreign, whoSpeaks } from "./who-speaks.ts";

const text = z.string("a string").min(1, "a string that is not empty");
const endpoints = ["/v1/chat/completions", "/v1/completions", "/v1/embeddings", "/v1/responses"] as const;

const request = z.looseObject(
  {
    input_file_id: text.nullish(),
    endpoint: z.enum(endpoints, `one of ${endpoints.join(", ")}`).nullish(),
    completion_window: text.nullish(),
    model: text.nullish(),
    metadata: z.record(z.string(), z.string("a string"), "an object of strings").nullish(),
    requests: z
      .array(z.looseObject({}, "an object"), "a list of objects")
      .min(1, "a list with at least one item")
      .nullish(),
    provider_options: z.looseObject({}, "an object").nullish(),
  },
  "an object",
);

/** Vendors say themselves which of the fields they need: some take a file, some the requests. */
function decode({ json, itself }: Asked): BatchRequest {
  const wire = parseRequest(request, json);
  if (wire.completion_window === "immediate" && !itself)
    throw new GatewayError(
      "invalid_request",
      'completion_window "immediate" is for batches that the gateway runs itself: a provider takes "24h".',
      { param: "completion_window" },
    );
  return {
    ...compact({
      inputFileId: wire.input_file_id,
      endpoint: wire.endpoint,
      completionWindow: wire.completion_window,
      model: wire.model,
      metadata: wire.metadata,
      requests: wire.requests,
    }),
    own: { ...wire.provider_options, ...fieldsBeyond(wire, request) },
  };
}

const batch = (one: Batch): Fields => ({
  id: one.id,
  object: "batch",
  ...compact({
    endpoint: one.endpoint,
    model: one.model,
    errors: one.errors && { object: "list", data: one.errors.map((error) => compact({ ...error })) },
    input_file_id: one.inputFileId,
    completion_window: one.completionWindow,
    status: one.status,
    output_file_id: one.outputFileId,
    error_file_id: one.errorFileId,
    created_at: one.createdAt,
    in_progress_at: one.inProgressAt,
    expires_at: one.expiresAt,
    finalizing_at: one.finalizingAt,
    completed_at: one.completedAt,
    failed_at: one.failedAt,
    expired_at: one.expiredAt,
    cancelling_at: one.cancellingAt,
    cancelled_at: one.cancelledAt,
    request_counts: one.counts && { ...one.counts },
    metadata: one.metadata,
  }),
  ...one.more,
});

export const createBatch: ClientProcedure<"createBatch"> = {
  name: "createBatch",
  decode,
  encode: batch,
  whoSpeaks,
  foreign,
};

export const listBatches: ClientProcedure<"listBatches"> = {
  name: "listBatches",
  decode: pageQuery(100),
  encode: (page) => listed(page, batch),
  whoSpeaks,
  foreign,
};

export const retrieveBatch: ClientProcedure<"retrieveBatch"> = {
  name: "retrieveBatch",
  decode: named,
  encode: batch,
  whoSpeaks,
  foreign,
};

export const cancelBatch: ClientProcedure<"cancelBatch"> = {
  name: "cancelBatch",
  decode: named,
  encode: batch,
  whoSpeaks,
  foreign,
};

export const getBatchOutput: ClientProcedure<"getBatchOutput"> = {
  name: "getBatchOutput",
  transfers: true,
  decode: named,
  whoSpeaks,
  foreign,
  usual: outputOf,
};
