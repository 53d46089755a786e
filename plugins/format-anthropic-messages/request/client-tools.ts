import { type Fields, isRecord, type Tool } from "../../../core/index.ts";
import { formatName } from "../fields.ts";
import { decodeTool } from "./decode-tools.ts";

/**
 * Tools that Claude knows by their type, and that the client runs: their input is published, and not written down in a request. To vendors
 * of other formats they are functions of the same name, and calls and results are those of any other (Anthropic: bash tool, text editor
 * tool, memory tool).
 */
interface ClientTool {
  readonly type: RegExp;
  readonly description: string;
  readonly properties: Readonly<Fields>;
  readonly required: readonly string[];
}

const text = { type: "string" };
const whole = { type: "integer" };
const oneOf = (...commands: readonly string[]): Fields => ({ ...text, enum: commands });

const lines = { type: "array", items: whole, minItems: 2, maxItems: 2 };
const viewed = { path: text, view_range: lines };
const replaced = { old_str: text, new_str: text };

const viewing =
  "`view` shows the file or the folder at `path`; `view_range` is the first and the last line to be shown, counted from 1, and -1 is the end.";
const editing =
  "`create` writes `file_text` to a file. `str_replace` puts `new_str` in the place of `old_str`, which has to stand in the file once, to the last blank.";
const inserting = (name: string): string =>
  `\`insert\` puts \`${name}\` behind the line \`insert_line\`; 0 is the beginning.`;

const tools: readonly ClientTool[] = [
  {
    type: /^bash_\d{8}$/,
    description:
      "Runs a command in a shell of the user's, and gives what it wrote. The shell stays: folder, variables and files are those that " +
      "earlier commands left. `restart` begins a new one; there is no `command` then.",
    properties: { command: text, restart: { type: "boolean" } },
    required: [],
  },
  {
    // These have another name, and take a change back.
    type: /^text_editor_(?:20241022|20250124)$/,
    description: `Shows and changes files of the user's. ${viewing} ${editing} ${inserting("new_str")} \`undo_edit\` takes back the last change of a file.`,
    properties: {
      command: oneOf("view", "create", "str_replace", "insert", "undo_edit"),
      ...viewed,
      file_text: text,
      ...replaced,
      insert_line: whole,
    },
    required: ["command", "path"],
  },
  {
    type: /^text_editor_\d{8}$/,
    description: `Shows and changes files of the user's. ${viewing} ${editing} ${inserting("insert_text")}`,
    properties: {
      command: oneOf("view", "create", "str_replace", "insert"),
      ...viewed,
      file_text: text,
      ...replaced,
      insert_line: whole,
      insert_text: text,
    },
    required: ["command", "path"],
  },
  {
    type: /^memory_\d{8}$/,
    description:
      "Keeps notes in files below /memories that are still there in later conversations: look there before you begin, and note what is worth " +
      `keeping. ${viewing} ${editing} ${inserting("insert_text")} \`delete\` removes the file or the folder at \`path\`; \`rename\` moves ` +
      "`old_path` to `new_path`.",
    properties: {
      command: oneOf("view", "create", "str_replace", "insert", "delete", "rename"),
      ...viewed,
      file_text: text,
      ...replaced,
      insert_line: whole,
      insert_text: text,
      old_path: text,
      new_path: text,
    },
    required: ["command"],
  },
];

/** The tools for vendors of other formats. One that is called like another stays what it was. */
export function withFunctions(offered: readonly Tool[]): readonly Tool[] {
  if (!offered.some((tool) => knownOf(tool))) return offered;
  const names = new Set(offered.map((tool) => (tool.type === "function" ? tool.name : undefined)));
  return offered.map((tool) => {
    const name = nameOf(tool);
    return name === undefined || names.has(name) ? tool : asFunction(tool, name);
  });
}

const writtenAs = (tool: Tool): Readonly<Fields> | undefined =>
  tool.type === "native" && tool.format === formatName && isRecord(tool.value) ? tool.value : undefined;

const nameOf = (tool: Tool): string | undefined => {
  const name = writtenAs(tool)?.name;
  return typeof name === "string" ? name : undefined;
};

function knownOf(tool: Tool): ClientTool | undefined {
  const type = writtenAs(tool)?.type;
  return typeof type === "string" ? tools.find((one) => one.type.test(type)) : undefined;
}

function asFunction(tool: Tool, name: string): Tool {
  const known = knownOf(tool);
  if (!known) return tool;
  const { description, properties, required } = known;
  const { type: _, defer_loading: __, cache_control: marker, ...more } = writtenAs(tool) ?? {};
  return decodeTool(
    {
      ...more,
      name,
      description,
      input_schema: { type: "object", properties, required, additionalProperties: false },
      ...(isRecord(marker) && { cache_control: marker }),
    },
    { path: "tools", fault: "invalid_request" },
  );
}
