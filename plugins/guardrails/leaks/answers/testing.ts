import { anthropic } from "../anthropic/testing.ts";
import { chat } from "../chat/testing.ts";
import { cohere } from "../cohere/testing.ts";
import { converse } from "../converse/testing.ts";
import { google } from "../google/testing.ts";
import { responses } from "../responses/testing.ts";

/** What answers may hold a secret in, by the format they are in. */
export const vendors = { anthropic, chat, cohere, converse, google, responses } as const;
