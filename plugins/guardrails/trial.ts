import {
  type ChatResponse,
  type ChecksService,
  type Exchange,
  type GatewayRequest,
  type GuardrailTrialService,
  requestOfBody,
  z,
} from "../../core/index.ts";
import { configFields, type HookEntry, isWritten } from "./config/fields.ts";
import type { HookCompiler } from "./hook.ts";
import { runHook } from "./run/run-hook.ts";
import { Subject } from "./run/subject.ts";

interface Parts {
  readonly checks: ChecksService;
  readonly compiler: HookCompiler;
  readonly deadline: number;
}

/** A guardrail as a record: its actions stand by themselves. */
const asRecord = z
  .object({ checks: z.array(z.unknown()), actions: z.record(z.string(), z.unknown()).default({}) })
  .loose();

/** Runs guardrails on texts that belong to nobody. */
export function guardrailTrial({ checks, compiler, deadline }: Parts): GuardrailTrialService {
  return {
    async run(given, text, target) {
      const entry = read(checks, given);
      if (!isWritten(entry))
        throw new Error("has no checks: write them below `checks`, or each under the name of its check");
      const hook = compiler.written(entry);
      const subject = target === "request" ? askedWith(text) : answeredWith(text);
      const around = { checks, exchange: nobodys, deadline };
      const { entry: result, subject: after } = await runHook({ hook, trusted: true }, subject, around);
      return {
        verdict: result.verdict,
        denied: result.deny,
        text: after.input.text,
        checks: result.checks.map(({ id, verdict, error, data, execution_time }) => ({
          id,
          verdict,
          ...(error && { error }),
          data,
          milliseconds: execution_time,
        })),
      };
    },
  };
}

function read(checks: ChecksService, given: unknown): HookEntry {
  const [hooks, guardrails] = configFields(checks);
  const record = asRecord.safeParse(given);
  const field = record.success ? hooks : guardrails;
  const entry = record.success ? { id: "tried", ...record.data.actions, checks: record.data.checks } : given;
  const parsed = field?.schema.safeParse([entry]);
  const mistakes = parsed?.error?.issues ?? field?.misspelt?.([entry]) ?? [];
  if (parsed?.success && mistakes.length === 0) return (parsed.data as HookEntry[])[0] ?? "";
  throw new Error(mistakes.map(({ path, message }) => `${path.slice(1).join(".")}: ${message}`).join("\n"));
}

const said = (text: string) => [{ type: "text" as const, text }];

const asked = (text: string): GatewayRequest =>
  requestOfBody("chat", { model: "none", stream: false, messages: [{ role: "user", content: said(text) }] });

const askedWith = (text: string): Subject => Subject.ofRequest(nobodys, asked(text), undefined);

function answeredWith(text: string): Subject {
  const response: ChatResponse = { choices: [{ index: 0, content: said(text), finishReason: "stop" }] };
  const formats = new Map<string, never>();
  return Subject.ofResponse(nobodys, asked(""), undefined, { response, formats, status: 200, requestChanged: false });
}

const nobodys: Exchange = {
  id: "trial",
  traceId: "trial",
  endpoint: { type: "chatComplete", method: "POST", path: "/v1/chat/completions", operation: "chat" },
  method: "POST",
  url: "/v1/chat/completions",
  headers: {},
  gatewayHeaders: { get: () => undefined, isEmpty: () => false, nameOf: (name) => name },
  remoteAddress: undefined,
  receivedAt: 0,
  strict: true,
  signal: new AbortController().signal,
  attempts: [],
  role: "imagined",
  droppedParams: new Set(),
  metadata: {},
  malformedFrames: 0,
};
