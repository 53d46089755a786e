/** The formats in which clients ask here, and vendors are asked. */
export const formats = ["chat", "messages", "responses", "gemini"] as const;
export type FormatName = (typeof formats)[number];

/** What is asked, whatever the format. */
export interface Words {
  readonly model: string;
  readonly system: string | undefined;
  readonly user: string;
  /** Names of tools. */
  readonly tools: readonly string[];
  readonly temperature: number | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: wire bodies of every shape
export type Wire = any;

const parameters = { type: "object", properties: { said: { type: "string" } } };

const writers: Readonly<Record<FormatName, (words: Words) => Wire>> = {
  chat: ({ model, system, user, tools, temperature }) => ({
    model,
    max_tokens: 50,
    messages: [...(system === undefined ? [] : [{ role: "system", content: system }]), { role: "user", content: user }],
    ...(tools.length > 0 && { tools: tools.map((name) => ({ type: "function", function: { name, parameters } })) }),
    temperature,
  }),
  messages: ({ model, system, user, tools, temperature }) => ({
    model,
    max_tokens: 50,
    system,
    messages: [{ role: "user", content: user }],
    ...(tools.length > 0 && { tools: tools.map((name) => ({ name, input_schema: parameters })) }),
    temperature,
  }),
  responses: ({ model, system, user, tools, temperature }) => ({
    model,
    max_output_tokens: 50,
    instructions: system,
    input: user,
    ...(tools.length > 0 && { tools: tools.map((name) => ({ type: "function", name, parameters, strict: false })) }),
    temperature,
  }),
  gemini: ({ system, user, tools, temperature }) => ({
    ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
    contents: [{ role: "user", parts: [{ text: user }] }],
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map((name) => ({ name, parameters })) }] }),
    generationConfig: { maxOutputTokens: 50, temperature },
  }),
};

/** A question as a client writes it. */
export const asked = (format: FormatName, words: Words): Wire => writers[format](words);

const textOf = (content: Wire): string | undefined =>
  content === undefined || typeof content === "string"
    ? content
    : [content]
        .flat()
        .map(({ text, content }: Wire) => text ?? textOf(content))
        .join("");

const rolesIn = (list: Wire, role: string): string | undefined => {
  const texts = list
    .filter((one: Wire) => one.role === role)
    .map(({ content, parts }: Wire) => textOf(content ?? parts));
  return texts.length === 0 ? undefined : texts.join("");
};

const readers: Readonly<Record<FormatName, (body: Wire) => Omit<Words, "model">>> = {
  chat: ({ messages, tools = [], temperature }) => ({
    system: rolesIn(messages, "system"),
    user: rolesIn(messages, "user") ?? "",
    tools: tools.map((tool: Wire) => tool.function.name),
    temperature,
  }),
  messages: ({ system, messages, tools = [], temperature }) => ({
    system: textOf(system),
    user: rolesIn(messages, "user") ?? "",
    tools: tools.map(({ name }: Wire) => name),
    temperature,
  }),
  responses: ({ instructions, input, tools = [], temperature }) => ({
    system: textOf(instructions) ?? (typeof input === "string" ? undefined : rolesIn(input, "system")),
    user: typeof input === "string" ? input : (rolesIn(input, "user") ?? ""),
    tools: tools.map(({ name }: Wire) => name),
    temperature,
  }),
  gemini: ({ systemInstruction, contents, tools = [], generationConfig = {} }) => ({
    system: textOf(systemInstruction?.parts),
    user: rolesIn(contents, "user") ?? "",
    tools: tools.flatMap(({ functionDeclarations }: Wire) => functionDeclarations.map(({ name }: Wire) => name)),
    temperature: generationConfig.temperature,
  }),
};

/** A question as a vendor reads it. */
export const read = (format: FormatName, model: string, body: Wire): Words => ({ model, ...readers[format](body) });
