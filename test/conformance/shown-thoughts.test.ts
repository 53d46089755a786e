import { expect, it } from "vitest";
import { anthropic } from "./conversations/anthropic.ts";
import { chat } from "./conversations/chat.ts";
import { converse } from "./conversations/converse.ts";
import { sent } from "./conversations/road.ts";
import { type Wire, wire } from "./conversations/speaker.ts";

const question = chat.question("Why?");

const asked = (vendor: typeof chat, model: string, wishes: Wire, strict: boolean) => {
  const said = { ...chat.ask([question], false), ...wishes };
  const { wire: body, dropped } = sent(chat, vendor, said, { model, stream: false, strict, id: "a" });
  const more = wire(body.additionalModelRequestFields);
  return { thinking: wire(body.thinking ?? more.thinking), dropped };
};

const claudes = [
  { vendor: anthropic, name: "", from: anthropic.format.name },
  { vendor: converse, name: "us.anthropic.", from: converse.format.name },
];

it.each(claudes)("a chat client that reads thoughts is shown those it asks for by $from", ({ vendor, name }) => {
  const thinking = { type: "adaptive", display: "summarized" };
  for (const model of ["claude-opus-4-8", "claude-opus-5", "claude-opus-5-5"]) {
    for (const wishes of [{ reasoning_effort: "low" }, { thinking: { type: "enabled", budget_tokens: 2000 } }])
      expect(asked(vendor, `${name}${model}`, wishes, false).thinking).toEqual(thinking);
    expect(asked(vendor, `${name}${model}`, { reasoning_effort: "low" }, false).dropped).toEqual([]);
    // Strict ones are shown no thinking, and who writes Claude's own switch says in it what is shown.
    expect(asked(vendor, `${name}${model}`, { reasoning_effort: "low" }, true).thinking).not.toHaveProperty("display");
    const own = { thinking: { type: "adaptive", display: "omitted" } };
    expect(asked(vendor, `${name}${model}`, own, false)).toMatchObject(own);
    expect(asked(vendor, `${name}${model}`, {}, false).thinking).toEqual({});
  }
  for (const model of ["claude-opus-4-6", "claude-sonnet-4-5"])
    expect(asked(vendor, `${name}${model}`, { reasoning_effort: "low" }, false).thinking).not.toHaveProperty("display");
});
