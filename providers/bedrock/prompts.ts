/** Somebody said something. */
export interface Said {
  readonly role: "system" | "user" | "assistant";
  readonly text: string;
}

/** Llama 3: every message behind a header that says whose it is, and the header of the answer. */
export const afterHeaders = (said: readonly Said[]): string =>
  `<|begin_of_text|>${said
    .map(({ role, text }) => `<|start_header_id|>${role}<|end_header_id|>\n\n${text}<|eot_id|>`)
    .join("")}<|start_header_id|>assistant<|end_header_id|>\n\n`;

/** Llama 2: the system's words inside the first instruction. */
export function withSystem(said: readonly Said[]): string {
  const system = systemIn(said);
  const before = system === "" ? "" : `<<SYS>>\n${system}\n<</SYS>>\n\n`;
  return instructions(said, before, (answer) => ` ${answer} </s>`);
}

/** Mistral: instructions in brackets; the system's words stand in front of the first. */
export function asInstruction(said: readonly Said[]): string {
  const system = systemIn(said);
  const before = system === "" ? "" : `${system}\n\n`;
  return instructions(said, before, (answer) => `${answer}</s>`).replaceAll("</s><s>", "</s>");
}

const systemIn = (said: readonly Said[]): string =>
  said
    .filter(({ role }) => role === "system")
    .map(({ text }) => text)
    .join("\n");

function instructions(said: readonly Said[], before: string, answered: (text: string) => string): string {
  let text = "";
  let first = true;
  for (const one of said) {
    if (one.role === "user") {
      text += `<s>[INST] ${first ? before : ""}${one.text} [/INST]`;
      first = false;
    } else if (one.role === "assistant") text += answered(one.text);
  }
  return first ? `<s>[INST] ${before.trimEnd()} [/INST]` : text;
}

/** One line each, with a name in front, and the name of whoever is to answer. */
export const asLines =
  (answering: string) =>
  (said: readonly Said[]): string => {
    const names = { system: "System", user: "User", assistant: answering };
    return [...said.map(({ role, text }) => `${names[role]}: ${text}`), `${answering}:`].join("\n");
  };
