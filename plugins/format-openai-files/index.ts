import {
  type AnyClientProcedure,
  ApiKeys,
  billsOf,
  definePlugin,
  type Endpoint,
  type JobBills,
  Prices,
  Records,
  z,
} from "../../core/index.ts";
import { cancelBatch, createBatch, getBatchOutput, listBatches, retrieveBatch } from "./batches.ts";
import { deleteFile, listFiles, retrieveFile, retrieveFileContent, uploadFile } from "./files.ts";
import { cancelFinetune, createFinetune, listFinetunes, retrieveFinetune } from "./fine-tuning.ts";

/** Looks at what tells of a job what it cost. */
type Bills = Pick<JobBills, "witness" | "makes">;

type Row = readonly [method: string, path: string, procedure: AnyClientProcedure];

const filesOf = ({ witness }: Bills): readonly Row[] => [
  ["POST", "/v1/files", uploadFile],
  ["GET", "/v1/files", listFiles],
  // Clients of Google ask for the bytes of a file here, too.
  ["GET", "/v1/files/:id", { ...retrieveFile, witness }],
  ["GET", "/v1/files/:id/content", { ...retrieveFileContent, witness }],
  ["DELETE", "/v1/files/:id", deleteFile],
];

const batchesOf = ({ witness, makes }: Bills): readonly Row[] => [
  ["POST", "/v1/batches", { ...createBatch, witness: makes }],
  ["GET", "/v1/batches", listBatches],
  ["GET", "/v1/batches/:id", { ...retrieveBatch, witness }],
  ["GET", "/v1/batches/:id/output", { ...getBatchOutput, witness }],
  ["POST", "/v1/batches/:id/cancel", cancelBatch],
];

const jobs: readonly Row[] = [
  ["POST", "", createFinetune],
  ["GET", "", listFinetunes],
  ["GET", "/:id", retrieveFinetune],
  ["POST", "/:id/cancel", cancelFinetune],
];

const served = ([method, path, procedure]: Row): Endpoint & { procedure: AnyClientProcedure } => ({
  type: procedure.name,
  method,
  path,
  procedure,
  ...(procedure.takes !== "upload" && { rawBody: true }),
});

/** Both spellings of the path lead to the one that vendors know. */
const spelledAsVendors = (url: string): string => url.replace(/^(\/v1)\/fine-tuning(?=\/)/, "$1/fine_tuning");

export default definePlugin({
  name: "format-openai-files",
  summary:
    "Speaks the OpenAI API of files, batches and fine-tuning; providers with ways of their own are asked in those.",
  options: z.strictObject({
    anyConfig: z
      .boolean()
      .default(false)
      .describe(
        "Whether a file may be uploaded with a routing config of several targets: it goes to the first one only.",
      ),
  }),
  uses: [ApiKeys, Prices, Records],
  setup(context, { anyConfig }) {
    const { endpoint } = context;
    const bills = billsOf(context);
    for (const row of filesOf(bills)) {
      const one = served(row);
      endpoint({ ...one, oneTarget: one.procedure.takes === "upload" && !anyConfig });
    }
    for (const row of batchesOf(bills)) endpoint(served(row));
    for (const path of ["/v1/fine_tuning/jobs", "/v1/fine-tuning/jobs"]) {
      for (const [method, rest, procedure] of jobs)
        endpoint({ ...served([method, path + rest, procedure]), rawUrl: spelledAsVendors });
      for (const list of ["events", "checkpoints"])
        endpoint({
          type: "proxy",
          method: "GET",
          path: `${path}/:id/${list}`,
          rawUrl: spelledAsVendors,
          description: { tag: "fine-tuning", summary: `Lists the ${list} of a fine-tuning job.` },
        });
    }
  },
});
