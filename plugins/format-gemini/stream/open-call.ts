import { parseArguments, type StartChunk } from "../../../core/index.ts";

/** A tool call while its arguments come: this format says it in one piece. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly extra?: NonNullable<StartChunk["extra"]>;
  arguments: string;
}

/** Whether its arguments are there: without a word of them it is not known that there are none. */
export const isWhole = ({ arguments: json }: OpenCall): boolean => json !== "" && parseArguments(json) !== undefined;
