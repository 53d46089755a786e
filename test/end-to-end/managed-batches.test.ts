import { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { finished, here, jsonl, line, linesOf, startBatches, there, uploaded } from "../support/batches.ts";

describe("files that the gateway keeps", () => {
  it("are answered to the OpenAI client as a vendor's would be, and name no provider", async () => {
    const { client } = await startBatches();
    const mine = client();
    const bytes = Buffer.from([123, 0, 255, 13, 10]);
    const file = await mine.files.create({
      file: await toFile(bytes, "a.bin", { type: "application/x-own" }),
      purpose: "user_data",
      expires_after: { anchor: "created_at", seconds: 3600 },
    });
    expect(file).toMatchObject({
      object: "file",
      bytes: 5,
      filename: "a.bin",
      purpose: "user_data",
      status: "processed",
    });
    expect(file.id).toMatch(/^gw_file_[\da-f-]{36}$/);
    expect(file.expires_at).toBe(file.created_at + 3600);
    const other = await uploaded(mine, "x");
    expect((await mine.files.list()).data.map(({ id }) => id)).toEqual([other.id, file.id]);
    expect((await mine.files.list({ order: "asc", limit: 1 })).data.map(({ id }) => id)).toEqual([file.id]);
    expect((await mine.files.list({ purpose: "user_data" })).data).toEqual([file]);
    expect((await mine.files.list({ after: other.id })).data).toEqual([file]);
    const content = await mine.files.content(file.id);
    expect(Buffer.from(await content.arrayBuffer())).toEqual(bytes);
    expect(content.headers.get("content-type")).toBe("application/x-own");
    expect(content.headers.get("x-gateway-provider")).toBeNull();
    expect(content.headers.get("x-gateway-trace-id")).not.toBeNull();
    expect(await mine.files.delete(file.id)).toEqual({ id: file.id, object: "file", deleted: true });
    await expect(mine.files.retrieve(file.id)).rejects.toMatchObject({
      status: 404,
      error: { type: "not_found_error", message: `There is no file "${file.id}".` },
    });
  });

  it("belong to a workspace: to everybody else they are not there", async () => {
    const { client } = await startBatches();
    const { id } = await uploaded(client(), "x");
    for (const who of [
      { id: "ana", organisation: "acme", workspace: "two" },
      { id: "ana", organisation: "other", workspace: "one" },
      { id: "ana" },
    ]) {
      const other = client(who);
      for (const ask of [() => other.files.retrieve(id), () => other.files.content(id), () => other.files.delete(id)])
        await expect(ask()).rejects.toMatchObject({ status: 404 });
      expect((await other.files.list()).data).toEqual([]);
      await expect(other.batches.create({ ...here, input_file_id: id })).rejects.toMatchObject({ status: 400 });
    }
    expect((await client({ id: "bob", organisation: "acme", workspace: "one" }).files.retrieve(id)).id).toBe(id);
  });

  it("are the gateway's where it is named, and a provider's where that is", async () => {
    const { client } = await startBatches({}, {}, { other: { use: "simulator" } });
    const named = async (headers: object, id?: string) =>
      (id === undefined
        ? await uploaded(client(undefined, headers), "x")
        : await client(undefined, headers).files.retrieve(id)
      ).id;
    const own = await named({ "x-gateway-provider": "gateway" });
    expect(own).toMatch(/^gw_file_/);
    expect(await named({ "x-gateway-provider": "other" })).toMatch(/^file-/);
    expect(await named({ "x-gateway-config": JSON.stringify({ provider: "other" }) })).toMatch(/^file-/);
    expect(await named({ "x-gateway-config": JSON.stringify({ retry: { attempts: 1 } }) })).toMatch(/^gw_file_/);
    expect(await named({ "x-gateway-provider": "other" }, own)).toBe(own);
  });

  it("are not larger than they may be", async () => {
    const { client } = await startBatches({ "managed-files": { maxBytes: 10 } });
    await expect(uploaded(client(), "0123456789a")).rejects.toMatchObject({ status: 413 });
    expect((await client().files.list()).data).toEqual([]);
  });
});

describe("a batch that runs here", () => {
  it("is made, watched and read by the OpenAI client", async () => {
    const { client } = await startBatches({}, { groupLines: 2 });
    const mine = client();
    const lines = Array.from({ length: 5 }, (_, at) => line(`r-${at}`, `Question ${at}`));
    const input = await uploaded(mine, jsonl(...lines, line("bad", "No", "fault-status-400")));
    const made = await mine.batches.create({ ...here, input_file_id: input.id, metadata: { for: "test" } });
    expect(made).toMatchObject({
      object: "batch",
      status: "validating",
      input_file_id: input.id,
      completion_window: "immediate",
      metadata: { for: "test" },
      hook_results: { after_request_hooks: [{ verdict: true, type: "guardrail", deny: false }] },
    });
    expect(made.id).toMatch(/^gw_batch_[\da-f-]{36}$/);
    const batch = await finished(mine, made.id);
    expect(batch).toMatchObject({ status: "completed", request_counts: { total: 6, completed: 5, failed: 1 } });
    for (const time of [batch.in_progress_at, batch.finalizing_at, batch.completed_at]) expect(time).toBeGreaterThan(0);
    const output = await linesOf(mine, batch.output_file_id);
    expect(output.map(({ custom_id }) => custom_id).sort()).toEqual(["r-0", "r-1", "r-2", "r-3", "r-4"]);
    expect(output[0]?.response.body.choices?.[0]?.message.content).toContain("Question");
    const errors = await linesOf(mine, batch.error_file_id);
    expect(errors).toMatchObject([{ custom_id: "bad", response: { status_code: 400 } }]);
    expect((await mine.batches.list({ limit: 1 })).data).toEqual([batch]);
    const direct = await mine.get<string>(`/batches/${batch.id}/output`, { __binaryResponse: false } as object);
    expect(JSON.stringify(direct)).toContain("r-0");
    await expect(client({ id: "eve" }).batches.retrieve(batch.id)).rejects.toMatchObject({
      status: 404,
      error: { type: "not_found_error", message: `There is no batch "${batch.id}".` },
    });
    await expect(mine.batches.cancel(batch.id)).rejects.toMatchObject({ status: 400 });
  });

  it("fails with what is wrong with its lines", async () => {
    const { client } = await startBatches();
    const mine = client();
    const text = [
      "no json",
      JSON.stringify(line("a", "x")),
      JSON.stringify(line("a", "x")),
      JSON.stringify({ ...line("", "x") }),
      "",
      JSON.stringify(line("b", "x", "m", "/v1/embeddings")),
    ].join("\n");
    const { id } = await mine.batches.create({ ...here, input_file_id: (await uploaded(mine, text)).id });
    const batch = await finished(mine, id);
    expect(batch).toMatchObject({ status: "failed", request_counts: { completed: 0, failed: 0 } });
    expect(batch.errors?.data?.map(({ line: at, code }) => [at, code])).toEqual([
      [1, "invalid_json_line"],
      [3, "duplicate_custom_id"],
      [4, "missing_required_parameter"],
      [6, "mismatched_url"],
    ]);
    expect(batch.failed_at).toBeGreaterThan(0);
  });

  it.each([
    [{ input_file_id: "file-1" }, "input_file_id"],
    [{ input_file_id: "gw_file_none" }, "input_file_id"],
    [{ completion_window: "1h" }, "completion_window"],
    [{ endpoint: "/v1/audio/speech" }, "endpoint"],
    [{ gateway_options: { authorization: "x" } }, "gateway_options"],
    [{ gateway_options: { "x-gateway-api-key": "x" } }, "gateway_options"],
  ])("is refused at once where it cannot be: %o", async (more, param) => {
    const { client } = await startBatches();
    const mine = client();
    const { id } = await uploaded(mine, jsonl(line("a", "x")));
    const refusal = mine.batches.create({ ...here, input_file_id: id, ...more } as never);
    await expect(refusal).rejects.toMatchObject({ status: 400, param });
  });
});

describe("a batch that a provider runs", () => {
  it("is uploaded, started, watched and fetched, and priced as a batch, once", async () => {
    const { client, gateway } = await startBatches();
    const mine = client();
    const { id: input } = await uploaded(mine, jsonl(line("a", "Hello"), line("b", "No", "fault-status-400")));
    const { id } = await mine.batches.create({
      ...there,
      input_file_id: input,
      gateway_options: { "x-gateway-provider": "simulator" },
    } as never);
    const batch = await finished(mine, id);
    expect(gateway.log.lines.filter(({ level }) => level === "error")).toEqual([]);
    expect(batch).toMatchObject({ status: "completed", request_counts: { total: 2, completed: 1, failed: 1 } });
    expect(await linesOf(mine, batch.output_file_id)).toMatchObject([
      { custom_id: "a", response: { status_code: 200 } },
    ]);
    expect(await linesOf(mine, batch.error_file_id)).toMatchObject([{ custom_id: "b" }]);
    const details = await mine.get<Record<string, { id: string; input_file_id: string }>>(
      `/batches/${id}?include_provider_details=true`,
    );
    expect(details.provider_batch?.id).toMatch(/^batch_/);
    expect(details.provider_batch?.input_file_id).toMatch(/^file-/);
  });
});
