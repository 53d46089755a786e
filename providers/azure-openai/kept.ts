import { type Fields, isRecord, type ProcedureTable } from "../../core/provider-kit/index.ts";

/** What jobs that wait are called here, beside the name everybody else has for it (providers.md section 10.4). */
const waiting: ReadonlySet<unknown> = new Set(["created", "pending"]);

type Wire = Readonly<Fields>;

const job = (wire: Wire): Wire => (waiting.has(wire.status) ? { ...wire, status: "queued" } : wire);

function jobs(wire: Wire): Wire {
  const { data } = wire;
  const found = Array.isArray(data) && data.some((one) => isRecord(one) && waiting.has(one.status));
  return found ? { ...wire, data: data.map((one) => (isRecord(one) ? job(one) : one)) } : wire;
}

/** What is kept is asked for as at OpenAI, below the resource. */
export const kept: ProcedureTable = {
  uploadFile: "as-it-is",
  listFiles: "as-it-is",
  retrieveFile: "as-it-is",
  retrieveFileContent: "as-it-is",
  deleteFile: "as-it-is",
  createBatch: "as-it-is",
  listBatches: "as-it-is",
  retrieveBatch: "as-it-is",
  getBatchOutput: "as-it-is",
  cancelBatch: "as-it-is",
  createFinetune: { corrected: job },
  listFinetunes: { corrected: jobs },
  retrieveFinetune: { corrected: job },
  cancelFinetune: { corrected: job },
};
