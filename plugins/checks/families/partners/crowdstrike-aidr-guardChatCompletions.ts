import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { baseOf } from "../../partners/address.ts";

const answer = z.looseObject({
  status: z.string(),
  result: z
    .looseObject({
      blocked: z.boolean().nullish(),
      transformed: z.boolean().nullish(),
      guard_output: z.record(z.string(), z.unknown()).nullish(),
      policy: z.string().nullish(),
    })
    .nullish(),
});

const credentials = { apiKey: "k", baseUrl: "https://aidr.example/" };
const request = { model: "m", messages: [{ role: "user", content: "call 555" }] };
const subject = { request, model: "m" };
const tried = { text: "call 555", credentials, subject };
const clean = { status: "Success", result: { blocked: false, transformed: false, policy: "default" } };

export default defineCheck({
  id: "crowdstrike-aidr.guardChatCompletions",
  summary:
    "Passes requests and answers that a policy of CrowdStrike AIDR does not block; what it rewrites is replaced.",
  parameters: z.object({}),
  verdictOnError: true,
  needsText: true,
  async run({ subject, target }, _, tools) {
    const { apiKey, baseUrl } = credentialsOf(tools, { apiKey: z.string().min(1), baseUrl: z.url() });
    if (!subject) throw new CheckError("This check looks at a whole request or answer; there is none.");
    const { metadata, provider, model } = subject;
    const user = metadata._user ?? metadata.user_id;
    const name = metadata._user_name ?? metadata.user_name;
    const { json } = await tools.ask({
      url: `${baseOf(baseUrl)}/v1/guard_chat_completions`,
      headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
      body: {
        guard_input: (target === "request" ? subject.request : subject.response)?.json,
        event_type: target === "request" ? "input" : "output",
        app_id: "AI Gateway",
        ...(user !== undefined && { user_id: user }),
        llm_provider: provider,
        ...(model !== undefined && { model }),
        extra_info: name === undefined ? {} : { user_name: name },
      },
    });
    const { status, result } = answerAs(answer, json);
    if (status !== "Success" || !result)
      throw new CheckError(`The service answered with the status ${status}.`, { data: { status } });
    const policy = result.policy ?? "unnamed";
    if (result.blocked) return { verdict: false, data: { explanation: `The policy ${policy} blocks it.` } };
    if (!result.transformed) return { verdict: true, data: { explanation: `The policy ${policy} lets it through.` } };
    if (!result.guard_output)
      throw new CheckError("The service says that it rewrote something, and does not send it.", { verdict: false });
    return {
      verdict: true,
      data: { explanation: `The policy ${policy} rewrote it.` },
      json: result.guard_output,
    };
  },
  table: {
    passes: [
      {
        ...tried,
        subject: { ...subject, metadata: { _user: "u-1", user_name: "Al" } },
        asks: [
          {
            url: "https://aidr.example/v1/guard_chat_completions",
            headers: { authorization: "Bearer k" },
            body: {
              guard_input: request,
              event_type: "input",
              app_id: "AI Gateway",
              user_id: "u-1",
              llm_provider: "openai",
              model: "m",
              extra_info: { user_name: "Al" },
            },
            answer: clean,
          },
        ],
        data: { explanation: "The policy default lets it through." },
      },
      {
        ...tried,
        asks: [
          {
            answer: {
              status: "Success",
              result: { blocked: false, transformed: true, policy: "pii", guard_output: { ...request, messages: [] } },
            },
          },
        ],
        json: { ...request, messages: [] },
      },
      {
        ...tried,
        target: "response",
        subject: { ...subject, response: { id: "1" } },
        asks: [{ body: { guard_input: { id: "1" }, event_type: "output" }, answer: clean }],
      },
      { text: "hello", credentials, error: "there is none" },
      { text: "hello", subject, credentials: { apiKey: "k" }, error: "baseUrl" },
      { ...tried, asks: [{ answer: { status: "Failed", result: null } }], error: "the status Failed" },
      { ...tried, asks: [{ status: 500 }], error: "500" },
      { ...tried, asks: [{ answer: "" }], error: "something else" },
    ],
    fails: [
      {
        ...tried,
        asks: [{ answer: { status: "Success", result: { blocked: true, policy: "injection" } } }],
        data: { explanation: "The policy injection blocks it." },
      },
      { ...tried, asks: [{ answer: { status: "Success", result: { transformed: true } } }], error: "does not send it" },
    ],
  },
});
