import { gemini as format } from "../../../plugins/format-gemini/index.ts";
import { kindOf, mediaTypeOf, toBase64 } from "./shown.ts";
import {
  type Asked,
  argsObject,
  eventsIn,
  inPieces,
  list,
  type Memory,
  must,
  type Piece,
  type Plan,
  type Speaker,
  schema,
  type Told,
  text,
  tools,
  unnamed,
  type Wire,
  wire,
  withBesides,
} from "./speaker.ts";

/** The first call of a step is signed, and so may be thoughts and texts. ai.google.dev/gemini-api/docs/thought-signatures */
function part(piece: Piece, isSigned: boolean, style: number, memory: Memory): readonly Wire[] {
  const signed = (of: "call" | "thought" | "text", beside: Wire): Wire =>
    isSigned ? { ...beside, thoughtSignature: memory.prove("gemini", of, beside) } : beside;
  switch (piece.kind) {
    case "thought":
      return [signed("thought", { text: piece.text, thought: true })];
    case "text":
    case "cited":
    case "refusal":
      return piece.text === "" ? [] : [signed("text", { text: piece.text })];
    case "hidden":
      return [];
    case "ran":
      return [
        { executableCode: { language: "PYTHON", code: piece.code } },
        { codeExecutionResult: { outcome: "OUTCOME_OK", output: piece.output } },
      ];
    case "image":
      return [{ inlineData: { mimeType: "image/png", data: piece.data } }];
    case "call": {
      const id = style % 2 === 0 ? {} : { id: memory.id("fn") };
      return [signed("call", { functionCall: { ...id, name: piece.name, args: argsObject(piece) } })];
    }
  }
}

function answer({ pieces, ending, style }: Plan, memory: Memory): Wire {
  const first = pieces.findIndex(({ kind }) => kind === "call");
  const parts = pieces.flatMap((piece, at) => {
    const signs = piece.kind === "call" ? at === first : first < 0 && style % 3 === 0 && at === pieces.length - 1;
    return part(piece, signs, style, memory);
  });
  return {
    candidates: [
      {
        content: { role: "model", ...(parts.length > 0 && { parts }) },
        finishReason: ending === "length" && first < 0 ? "MAX_TOKENS" : "STOP",
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5, totalTokenCount: 8 },
    modelVersion: "gemini-3-pro-preview",
    ...(style < 4 && { responseId: memory.id("aBcDeFgHiJkLmNoPqRsTuVw") }),
  };
}

const contentOf = (whole: Wire): Wire => wire(list(whole.candidates)[0]?.content);

/** A frame holds a part, or a piece of one; a text's signature comes with its last piece, or behind it in a text of nothing. */
function frames(whole: Wire, { sizes, style }: Plan): string {
  const { candidates, usageMetadata, ...head } = whole;
  const { finishReason } = list(candidates)[0] ?? {};
  const frame = (inner: Wire, more: Wire = {}) =>
    unnamed({ candidates: [{ content: { role: "model", ...inner }, index: 0, ...more }], ...head });
  let out = "";
  for (const one of list(contentOf(whole).parts)) {
    const { text: said, thoughtSignature, ...rest } = one;
    if (typeof said !== "string") {
      out += frame({ parts: [one] });
      continue;
    }
    const pieces = inPieces(said, sizes);
    for (const [at, piece] of pieces.entries()) {
      const isSigned = thoughtSignature !== undefined && style % 2 === 0 && at === pieces.length - 1;
      out += frame({ parts: [{ ...rest, text: piece, ...(isSigned && { thoughtSignature }) }] });
    }
    if (thoughtSignature !== undefined && style % 2 === 1)
      out += frame({ parts: [{ ...rest, text: "", thoughtSignature }] });
  }
  return out + unnamed({ candidates: [{ finishReason, index: 0 }], usageMetadata, ...head });
}

/** The contents of all frames, which the vendor's SDK puts into the history one by one. */
function gather(bytes: Buffer): Wire {
  const contents = eventsIn(bytes).map(contentOf);
  const parts = contents.flatMap((content) => list(content.parts)).filter((one) => !isNothing(one));
  return { candidates: [{ content: { role: "model", parts } }], streamed: true };
}

const isNothing = (one: Wire): boolean => one.text === "" && one.thoughtSignature === undefined;

/** What the client gives back: one content, or for what was streamed as many as there were frames. */
function keep(whole: Wire, style: number): readonly Wire[] {
  const parts = list(contentOf(whole).parts).filter((one) => !isNothing(one));
  if (parts.length === 0) return [];
  if (whole.streamed && style % 2 === 0) return parts.map((one) => ({ role: "model", parts: [one] }));
  return [{ role: "model", parts }];
}

interface Turn {
  readonly role: string;
  readonly parts: Wire[];
}

function turnsOf(request: Wire): Turn[] {
  const turns: Turn[] = [];
  for (const [at, { role, parts }] of list(request.contents).entries()) {
    const known = role === "model" ? "model" : "user";
    must(["user", "model", "function"].includes(text(role)), "a role", role);
    must(list(parts).length > 0, "parts are not empty", at);
    const last = turns.at(-1);
    if (last?.role === known) last.parts.push(...list(parts));
    else turns.push({ role: known, parts: [...list(parts)] });
  }
  return turns;
}

/** docs: ai.google.dev/gemini-api/docs/function-calling, /thought-signatures, and the errors the API gives. */
function check(request: Wire, memory: Memory, { own }: Asked): void {
  const turns = turnsOf(request);
  must(turns[0]?.role === "user", "the first content is of the user", turns[0]);
  let open: Wire[] = [];
  for (const { role, parts } of turns) {
    const answers = parts.filter(({ functionResponse }) => functionResponse).map((one) => wire(one.functionResponse));
    must(role === "user" || answers.length === 0, "responses are of the user", parts);
    must(answers.length === open.length, "as many function responses as calls", { answers, open });
    for (const [at, { id, name }] of answers.entries()) {
      must(
        own || (name === open[at]?.name && (id === undefined || id === open[at]?.id)),
        "responses in the order of their calls",
        {
          answers,
          open,
        },
      );
    }
    open = parts.filter(({ functionCall }) => functionCall).map((one) => wire(one.functionCall));
    must(role === "model" || open.length === 0, "calls are of the model", parts);
    const first = parts.find(({ functionCall }) => functionCall);
    if (first) must(first.thoughtSignature, "Function call is missing a thought_signature", first);
    for (const one of parts) checkPart(one, memory);
  }
  must(turns.at(-1)?.role === "user" && open.length === 0, "the last content is of the user", turns.at(-1));
}

const unsignedCall = "skip_thought_signature_validator";

function checkPart(one: Wire, memory: Memory): void {
  const { thoughtSignature: proof, ...beside } = one;
  const media = ["inlineData", "fileData"];
  const known = ["text", "functionCall", "functionResponse", ...media, "executableCode", "codeExecutionResult"];
  must(
    known.some((name) => one[name] !== undefined),
    "a part the API knows",
    one,
  );
  if (one.text !== undefined) must(one.text !== "" || proof, "no empty text", one);
  if (proof === undefined || (proof === unsignedCall && one.functionCall)) return;
  const isText = typeof one.text === "string";
  // Of a text the piece that a stream ended with holds the signature.
  must(isText ? isOwn(proof, memory) : memory.isProof("gemini", proof, beside), "a signature of its own", one);
}

const isOwn = (proof: unknown, memory: Memory): boolean => memory.proofs.get(text(proof))?.signer === "gemini";

function told(request: Wire): Told[] {
  let open: Wire[] = [];
  let said: (Wire | undefined)[] = [];
  return turnsOf(request).flatMap(({ role, parts }) => {
    if (role === "model") {
      open = parts.filter(({ functionCall }) => functionCall).map((one) => wire(one.functionCall));
      said = [...open];
    }
    return parts.flatMap((one): Told[] => {
      if (one.functionCall) return [["call", text(wire(one.functionCall).name), wire(one.functionCall).args]];
      if (one.functionResponse) {
        const { id, name, response } = wire(one.functionResponse);
        const call = open.find((other) => (id === undefined ? other.name === name : other.id === id));
        open = open.filter((other) => other !== call);
        return [
          ["result", said.indexOf(call), text(wire(response).output ?? wire(response).error)],
          ...list(wire(one.functionResponse).parts).map((part): Told => ["shown", shownIn(part)]),
        ];
      }
      if (role === "user" && (one.inlineData || one.fileData)) return [["shown", shownIn(one)]];
      if (typeof one.text !== "string" || one.thought) return [];
      return [[role === "user" ? "user" : "model", one.text]];
    });
  });
}

function shownIn({ inlineData, fileData }: Wire): string {
  const { mimeType, data } = wire(inlineData);
  if (mimeType === "text/plain") return Buffer.from(text(data), "base64").toString();
  return text(data ?? wire(fileData).fileUri);
}

function mediaPart(shown: string): Wire {
  const kind = kindOf(shown);
  const mimeType = mediaTypeOf(shown);
  if (kind === "address") return { fileData: { mimeType, fileUri: shown } };
  return { inlineData: { mimeType, data: kind === "document" ? toBase64(shown) : shown } };
}

export const gemini: Speaker = {
  format,
  model: "gemini-3-pro-preview",
  signer: "gemini",
  answer,
  frames,
  check,
  told,
  ask: (contents) => ({
    systemInstruction: { parts: [{ text: "Be brief." }] },
    tools: [{ functionDeclarations: tools.map((name) => ({ name, description: name, parametersJsonSchema: schema })) }],
    contents,
  }),
  shows: ["image", "address", "pdf", "document", "audio"],
  question: (said, shown = []) => ({ role: "user", parts: [...shown.map(mediaPart), { text: said }] }),
  wish: ({ thinking, forces, temperature }) => ({
    ...(forces && { toolConfig: { functionCallingConfig: { mode: "ANY" } } }),
    generationConfig: {
      candidateCount: 1,
      ...(temperature !== undefined && { temperature }),
      ...(typeof thinking === "number" && { thinkingConfig: { includeThoughts: true, thinkingBudget: thinking } }),
      ...(thinking === "none" && { thinkingConfig: { thinkingBudget: 0 } }),
      ...((thinking === "low" || thinking === "high") && {
        thinkingConfig: { includeThoughts: true, thinkingLevel: thinking },
      }),
      ...(thinking === "unsaid" && { thinkingConfig: { includeThoughts: true } }),
    },
  }),
  readsThoughts: ({ generationConfig }) => wire(wire(generationConfig).thinkingConfig).includeThoughts === true,
  gather,
  keep,
  calls: (whole) =>
    list(contentOf(whole).parts).flatMap(({ functionCall }) => {
      if (!functionCall) return [];
      const { id, name } = wire(functionCall);
      return { ...(id !== undefined && { id: text(id) }), name: text(name) };
    }),
  results: (results, besides) => [
    {
      role: "user",
      parts: withBesides(
        results.map(({ said, ...call }) => ({ functionResponse: { ...call, response: { output: said } } })),
        besides,
        (text) => ({ text }),
      ),
    },
  ],
};
