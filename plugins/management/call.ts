import {
  type Exchange,
  GatewayError,
  isRecord,
  type ManagementCall,
  type ManagementService,
  type Principal,
  type RecordKind,
  type Reference,
  type WorkspaceFinder,
  type WorkspaceRef,
} from "../../core/index.ts";

/** What a call asks for, before any of it is checked. */
export interface Asked {
  readonly query: Readonly<Record<string, string>>;
  /** The body as JSON; undefined where there is none. */
  readonly body: unknown;
}

export interface CallParts {
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly path: Readonly<Record<string, string>>;
  readonly own: WorkspaceRef | undefined;
  readonly asked: () => Asked;
  readonly find: WorkspaceFinder;
  readonly reference: ManagementService["reference"];
  readonly concerns: ManagementCall["concerns"];
}

/** A call, as operations see it. */
export class Call implements ManagementCall {
  readonly exchange: Exchange;
  readonly principal: Principal;
  readonly organisation: string;
  readonly path: Readonly<Record<string, string>>;
  readonly own: WorkspaceRef | undefined;
  readonly concerns: ManagementCall["concerns"];
  readonly #asked: () => Asked;
  readonly #find: WorkspaceFinder;
  readonly #reference: ManagementService["reference"];

  constructor({ exchange, principal, path, own, asked, find, reference, concerns }: CallParts) {
    this.exchange = exchange;
    this.principal = principal;
    this.organisation = principal.organisation ?? "";
    this.path = path;
    this.own = own;
    this.concerns = concerns;
    this.#asked = asked;
    this.#find = find;
    this.#reference = reference;
  }

  holds(scope: string): boolean {
    return this.principal.scopes?.includes(scope) ?? true;
  }

  require(...scopes: readonly string[]): void {
    if (scopes.length === 0 || scopes.some((scope) => this.holds(scope))) return;
    const { method, endpoint } = this.exchange;
    throw new GatewayError(
      "forbidden",
      `This credential may not ${method} ${endpoint.path}: it lacks the scope ${scopes.join(" or ")}.`,
    );
  }

  async workspace(): Promise<WorkspaceRef | undefined> {
    if (this.own) return this.own;
    const [ref] = this.#named("workspace_id");
    return ref === undefined ? undefined : this.workspaceOf(ref, "workspace_id");
  }

  async reference(
    kind: RecordKind,
    ref: string,
    param: string,
    { workspace, unknown = "reference_unknown" }: Parameters<ManagementCall["reference"]>[3] = {},
  ): Promise<Reference> {
    const found = await this.#reference(kind, this.organisation, workspace ?? this.own?.id, ref);
    if (found) return found;
    throw new GatewayError(unknown, `${param}: there is no "${ref}" among the ${kind.replaceAll("_", " ")}.`, {
      param,
    });
  }

  async workspaceOf(ref: string, param: string): Promise<WorkspaceRef> {
    const found = await this.#find(this.organisation, ref);
    if (found) return found;
    throw new GatewayError("reference_unknown", `There is no workspace "${ref}".`, { param });
  }

  async hasWorkspace(id: string): Promise<boolean> {
    return (await this.#find(this.organisation, id)) !== undefined;
  }

  /** A body or a query may name the organisation and the workspace, as long as they are the caller's. */
  refuseForeign(): void {
    const { id, slug } = this.own ?? {};
    this.#refuseOther("organisation", [this.organisation]);
    if (id !== undefined) this.#refuseOther("workspace", [id, slug]);
  }

  #refuseOther(what: "organisation" | "workspace", own: readonly (string | undefined)[]): void {
    const param = `${what}_id`;
    const other = this.#named(param).find((ref) => !own.includes(ref));
    if (other === undefined) return;
    throw new GatewayError("forbidden", `This credential is for another ${what} than "${other}".`, { param });
  }

  /** What body and query name, the one that counts first: of a write that is the body. */
  #named(field: string): string[] {
    const { query, body } = this.#asked();
    const named = [isRecord(body) ? body[field] : undefined, query[field]];
    return (isWrite(this.exchange.method) ? named : named.reverse()).filter((ref) => typeof ref === "string");
  }
}

const isWrite = (method: string): boolean => method === "POST" || method === "PUT";
