import { describe, expect, it } from "vitest";
import { decodeRequest } from "./decode-request.ts";
import { meantElsewhere } from "./meant-elsewhere.ts";

const user = { role: "user", content: [{ text: "Go on." }] };
const tool = (name: string) => ({ toolSpec: { name, inputSchema: { json: { type: "object" } } } });
const added = (name: string, more: object = {}) => ({ toolAddition: { tool: { name, ...more } } });
const taken = (name: string, more: object = {}) => ({ toolRemoval: { tool: { name, ...more } } });
const between = (...content: object[]) => ({ role: "system", content });

const asked = (messages: object[], toolChoice?: object) =>
  decodeRequest({ model: "m", messages, toolConfig: { tools: [tool("a"), tool("b")], toolChoice } });

describe("tools that a conversation takes back", () => {
  it.each<[string, object[], object | undefined, string[] | undefined]>([
    ["are not offered elsewhere", [user, between(taken("a")), user], undefined, ["b"]],
    ["are, once they are back", [user, between(taken("a")), user, between(added("a")), user], undefined, ["a", "b"]],
    ["are, where one has to be called", [user, between(taken("a"), taken("b"))], { tool: { name: "a" } }, ["a"]],
    ["leave none behind where all are taken", [user, between(taken("a"), taken("b"))], { auto: {} }, undefined],
  ])("%s", (_, messages, toolChoice, names) => {
    const { tools, toolChoice: choice, messages: told } = meantElsewhere(asked(messages, toolChoice));
    expect(tools?.map((one) => one.type === "function" && one.name)).toEqual(names);
    expect(choice === undefined).toBe(names === undefined || toolChoice === undefined);
    expect(told.map(({ role }) => role)).toEqual(messages.flatMap((one) => (one === user ? ["user"] : [])));
  });

  it("are told among what else the instructions say", () => {
    const { messages } = meantElsewhere(asked([user, between(taken("a"), { text: "Be brief." })]));
    expect(messages[1]).toMatchObject({ role: "system", content: [{ type: "text", text: "Be brief." }] });
  });

  it("stay as they are where they are of a server that the vendor calls, or where nothing changes", () => {
    for (const messages of [[user], [user, between(taken("a", { serverName: "s" }))]]) {
      const request = asked(messages);
      expect(meantElsewhere(request)).toBe(request);
    }
  });
});
