import type OpenAI from "openai";
import { toFile } from "openai";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { openAiClient } from "./clients.ts";
import { startTestGateway } from "./gateway.ts";
import { supportPlugin } from "./management.ts";

const formats = ["openai-chat", "openai-completions", "openai-embeddings", "openai-responses", "openai-files"];

/** A gateway that keeps files and runs batches, before the simulator; callers say who they are. */
export async function startBatches(more: object = {}, batches: object = {}, providers: object = {}) {
  const folder = temporaryFolder({});
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        principal: supportPlugin(folder, "principal"),
        routing: { default: "simulator" },
        retry: {},
        "records-file": {},
        "blobs-folder": {},
        "managed-files": {},
        "managed-batches": { groupInterval: 0, scanInterval: 50, ...batches },
        pricing: {},
        ...Object.fromEntries(formats.map((name) => [`format-${name}`, {}])),
        ...more,
      },
      providers: { simulator: {}, ...providers },
    }),
    {},
    folder,
  );
  const client = (who: object = { id: "ana", organisation: "acme", workspace: "one" }, headers = {}) =>
    openAiClient({ url: gateway.url, headers: { "x-test-principal": JSON.stringify(who), ...headers } });
  return { gateway, client, folder };
}

export const line = (customId: string, text: string, model = "small-1", url = "/v1/chat/completions") => ({
  custom_id: customId,
  method: "POST",
  url,
  body: { model, messages: [{ role: "user", content: text }] },
});

export const jsonl = (...lines: readonly object[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join("");

export const uploaded = async (client: OpenAI, text: string) =>
  client.files.create({ file: await toFile(Buffer.from(text), "lines.jsonl"), purpose: "batch" });

export async function finished(client: OpenAI, id: string) {
  for (;;) {
    const batch = await client.batches.retrieve(id);
    if (/completed|failed|cancelled|expired/.test(batch.status)) return batch;
    await new Promise(setImmediate);
  }
}

export interface Line {
  readonly custom_id: string;
  readonly response: {
    readonly status_code: number;
    readonly body: { readonly choices?: { readonly message: { readonly content: string } }[] };
  };
}

export const linesOf = async (client: OpenAI, id: string | null | undefined): Promise<Line[]> => {
  const text = await (await client.files.content(id ?? "")).text();
  return text
    .trimEnd()
    .split("\n")
    .map((one) => JSON.parse(one));
};

const asked = { endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
/** What a provider does, and what the gateway does itself. */
export const there = asked;
export const here = { ...asked, completion_window: "immediate" as "24h" };
