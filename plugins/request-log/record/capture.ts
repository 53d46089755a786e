import type { Exchange } from "../../../core/index.ts";
import type { RequestLogOptions } from "../options.ts";

export type CaptureMode = RequestLogOptions["capture"];

type Settings = Pick<RequestLogOptions, "capture" | "enforceCapture" | "workspaces">;

/** The slug of a workspace by its id, as far as it is known. */
export type SlugOf = (organisation: string, workspace: string) => string | undefined;

/** What is kept of a request (observability.md section 5): a setting may be enforced, and a client may only ask for less. */
export function captureRule(settings: Settings, slugOf: SlugOf): (exchange: Exchange) => CaptureMode {
  const { capture, enforceCapture, workspaces } = settings;
  const differ = Object.keys(workspaces).length > 0;
  const settingOf = ({ principal }: Exchange): CaptureMode => {
    const { organisation = "", workspace } = principal ?? {};
    if (!differ || workspace === undefined) return capture;
    return workspaces[workspace] ?? workspaces[slugOf(organisation, workspace) ?? ""] ?? capture;
  };
  return (exchange) => {
    const setting = settingOf(exchange);
    if (enforceCapture || setting === "metrics_only") return setting;
    return exchange.gatewayHeaders.get("debug")?.toLowerCase() === "false" ? "metrics_only" : setting;
  };
}
