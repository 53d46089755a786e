import { readFileSync } from "node:fs";
import type { Piece, Speaker, Wire } from "../conformance/conversations/speaker.ts";

/** What a session of a coding agent is made of: the requests it sends, and what it does with what it is told. */

export interface AgentRequest {
  /** Below the gateway's address; `MODEL` in it is the model. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Wire;
}

/** A call as the agent reads it. */
export interface AgentCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

/** What came of a call. */
export interface Outcome {
  readonly said: string;
  /** Tools that a search found, under their short names. */
  readonly found?: readonly string[];
  readonly failed?: true;
}

/** One answer of the vendor, and what goes before and after it. Tools have short names here. */
export interface Turn {
  /** What the user says before it. */
  readonly asks?: string;
  /** What the model may call now. What the vendor runs itself is not among it. */
  readonly offered: readonly string[];
  readonly pieces: readonly Piece[];
  /** One for each call, in their order. */
  readonly outcomes?: readonly Outcome[];
}

/** What an agent asks beside its conversation: a title, a search, a count of tokens. */
export interface Aside {
  readonly about: string;
  ask(model: string): AgentRequest;
  /** What of the vendor's answer the agent takes. */
  read(answer: Wire): unknown;
  readonly expected: unknown;
  readonly stream: boolean;
}

export interface Agent {
  /** With its version. */
  readonly name: string;
  /** How its SDK adds up what it is sent. */
  readonly speaker: Speaker;
  /** Proofs that it has a place for, by who signs what. */
  readonly carries: readonly string[];
  readonly turns: readonly Turn[];
  readonly asides: readonly Aside[];
  ask(history: readonly Wire[], model: string): AgentRequest;
  question(said: string, isFirst: boolean, model: string): readonly Wire[];
  /** What of an answer goes into its history. */
  keep(answer: Wire): readonly Wire[];
  calls(answer: Wire): readonly AgentCall[];
  results(calls: readonly AgentCall[], outcomes: readonly Outcome[], model: string): readonly Wire[];
}

/** How sessions end: with an answer, and a question that is thought about once more. */
export const endOf = (offered: readonly string[]): readonly Turn[] => [
  { offered, pieces: [{ kind: "text", text: "T2z that is all." }] },
  {
    asks: "Q2z and now?",
    offered,
    pieces: [
      { kind: "thought", text: "H3z hm" },
      { kind: "text", text: "T3z nothing." },
    ],
  },
];

/** A tool's name as a vendor has it ends with the one that the script has: groups and servers stand before it. */
export const isCalled = (name: string, short: string): boolean => name === short || name.endsWith(`_${short}`);

/** The tools of an agent as it offers them, without their texts. */
export const toolsOf = (agent: string): readonly Wire[] =>
  JSON.parse(readFileSync(new URL(`fixtures/${agent}.json`, import.meta.url), "utf8"));
