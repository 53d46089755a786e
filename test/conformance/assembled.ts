import { assembler, type ChatResponse, type Format } from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";

/** What a client of a format makes of a stream. */
export function assembled(format: Format<"chat">, bytes: Buffer): ChatResponse {
  const decoder = format.decodeStream?.();
  if (!decoder) throw new Error(`${format.name} does not stream`);
  const whole = assembler();
  for (const event of framingRules(format.framing).events(bytes))
    for (const chunk of decoder.push(event)) whole.add(chunk);
  for (const chunk of decoder.end()) whole.add(chunk);
  return whole.chat();
}
