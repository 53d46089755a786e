import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";
import { configFor } from "./play.ts";
import { StandIn } from "./stand-in.ts";
import { apart } from "./turns-apart.ts";
import { vendors } from "./vendors.ts";

const rows = apart.map((one) => ({ ...one, name: one.agent.name }));

describe.each(rows)("$about, as $name tells it", ({ agent, ask }) => {
  const { format } = agent.speaker;
  // What passes through is between the agent and its vendor.
  const others = vendors.filter(({ passesOn, speaks }) => !passesOn || speaks(format.name)[0] !== agent.speaker);

  it.each(others)("is taken and answered, at $provider with $model", async (vendor) => {
    const stand = new StandIn(vendor, format.name);
    const upstream = await startUpstream((request, response) => stand.answer(request, response));
    const gateway = await startTestGateway(configFor(vendor, upstream.url));
    stand.plan = [{ kind: "text", text: "T9z so." }];
    const { path, headers } = agent.ask([], vendor.model);
    const reply = await fetch(gateway.url + path.replace("MODEL", vendor.model), {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(ask(vendor.model)),
    });
    const written = await reply.text();
    stand.mustHaveTaken();
    expect(reply.status, written).toBe(200);
    expect(JSON.stringify(agent.speaker.gather(Buffer.from(written)))).toContain("T9z so.");
    const [taken] = stand.taken;
    const told = taken?.speaker.told(taken.body) ?? [];
    expect(told.filter(([kind]) => kind === "call")).toHaveLength(2);
    const results = told.flatMap((one) => (one[0] === "result" ? [one[1]] : []));
    expect(results.sort()).toEqual([0, 1]);
    expect(taken?.text).toMatch(/Q1z.*Let me|Q1z.*call/s);
    expect(taken?.text).toContain("Q2z");
    // OpenAI: "[] is too short - 'tools'", "'tool_choice' is only allowed when 'tools' are specified"; the others as well.
    const { tools, tool_choice: choice, parallel_tool_calls: parallel } = taken?.body ?? {};
    if (tools === undefined) expect([choice, parallel]).toEqual([undefined, undefined]);
    else if (taken?.speaker !== agent.speaker) expect(tools).not.toHaveLength(0);
  });
});
