import {
  type Asked,
  type ClientProcedure,
  compact,
  type Fields,
  type FineTuningJob,
  type FineTuningRequest,
  fieldsBeyond,
  parseRequest,
  z,
} from "../../core/index.ts";
import { named, pageQuery } from "./asked.ts";
import { listed } from "./listed.ts";
import { whoSpeaks } from "./who-speaks.ts";

const text = z.string("a string").min(1, "a string that is not empty");
const object = z.looseObject({}, "an object").nullish();
const inMethod = z.looseObject({ hyperparameters: object }, "an object").nullish();

const request = z.looseObject(
  {
    model: text,
    training_file: text,
    validation_file: text.nullish(),
    suffix: text.nullish(),
    seed: z.int("an integer").nullish(),
    hyperparameters: object,
    method: z.looseObject({ type: text, supervised: inMethod, dpo: inMethod }, "an object").nullish(),
    provider_options: object,
  },
  "an object",
);

function decode({ json }: Asked): FineTuningRequest {
  const wire = parseRequest(request, json);
  const { method } = wire;
  return {
    model: wire.model,
    trainingFile: wire.training_file,
    ...compact({
      validationFile: wire.validation_file,
      suffix: wire.suffix,
      method: method?.type,
      seed: wire.seed,
    }),
    hyperparameters: {
      ...wire.hyperparameters,
      ...(method?.type === "dpo" ? method.dpo : method?.supervised)?.hyperparameters,
    },
    own: { ...wire.provider_options, ...fieldsBeyond(wire, request) },
  };
}

const job = (one: FineTuningJob): Fields => ({
  id: one.id,
  object: "fine_tuning.job",
  ...compact({
    model: one.model,
    created_at: one.createdAt,
    finished_at: one.finishedAt,
    estimated_finish: one.estimatedFinish,
    fine_tuned_model: one.fineTunedModel,
    result_files: one.resultFiles,
    status: one.status,
    error: one.error,
    hyperparameters: one.hyperparameters,
    trained_tokens: one.trainedTokens,
    training_file: one.trainingFile,
    validation_file: one.validationFile,
    seed: one.seed,
  }),
  ...one.more,
});

export const createFinetune: ClientProcedure<"createFinetune"> = {
  name: "createFinetune",
  decode,
  encode: job,
  whoSpeaks,
};

export const listFinetunes: ClientProcedure<"listFinetunes"> = {
  name: "listFinetunes",
  decode: pageQuery(100),
  encode: (page) => listed(page, job),
  whoSpeaks,
};

export const retrieveFinetune: ClientProcedure<"retrieveFinetune"> = {
  name: "retrieveFinetune",
  decode: named,
  encode: job,
  whoSpeaks,
};

export const cancelFinetune: ClientProcedure<"cancelFinetune"> = {
  name: "cancelFinetune",
  decode: named,
  encode: job,
  whoSpeaks,
};
