import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { codeOf } from "../errors/code-of.ts";
import { errorMessage } from "../errors/error-message.ts";
import { GuardrailTrial, type TriedGuardrail } from "../services/guardrails.ts";
import { columns } from "./columns.ts";
import { type CommandResult, failed, succeeded } from "./command-result.ts";
import type { Surroundings } from "./with-config.ts";
import { withGeneration } from "./with-generation.ts";

export interface GuardOptions {
  readonly text: string;
  readonly config: string;
  readonly response?: boolean;
  readonly json?: boolean;
}

/** `sluice guard FILE --text …`: what a guardrail says of a text. Exits with 1 where it does not pass. */
export async function guard(
  file: string,
  { text, config, response = false, json = false }: GuardOptions,
  surroundings: Surroundings = {},
): Promise<CommandResult> {
  let source: string;
  try {
    source = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    return failed(`${file} cannot be read${codeOf(error)}`);
  }
  let guardrail: unknown;
  try {
    guardrail = parse(source);
  } catch (error) {
    return failed(`${file}: ${errorMessage(error)}`);
  }
  return withGeneration(config, surroundings, async ({ kernel }) => {
    const trial = kernel.offered(GuardrailTrial);
    if (!trial) return failed(`${config}: no plugin in it runs guardrails; add "guardrails"`);
    try {
      const tried = await trial.run(guardrail, text, response ? "response" : "request");
      const told = json ? JSON.stringify(tried, null, 2) : page(tried, text);
      return tried.verdict ? succeeded(told) : failed("The guardrail fails.", told);
    } catch (error) {
      return failed(`${file}: ${errorMessage(error)}`);
    }
  });
}

function page({ verdict, denied, checks, text }: TriedGuardrail, given: string): string {
  const rows = checks.map(({ id, verdict: good, error, data, milliseconds }) => [
    `  ${good ? "pass" : "fail"}`,
    id,
    `${milliseconds} ms`,
    error ? `${error.name}: ${error.message}` : JSON.stringify(data),
  ]);
  const ending = verdict ? "passes" : denied ? "denied" : "fails, and goes on";
  const changed = text === given ? "" : `\ntext: ${text}`;
  return `${columns(rows)}\n${ending}${changed}\n`;
}
