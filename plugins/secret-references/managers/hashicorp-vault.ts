import { readFile } from "node:fs/promises";
import { type Ask, GatewayError, isRecord, type OutboundRequest, tokenSource, z } from "../../../core/index.ts";
import { SecretContent } from "../secret-content.ts";
import { answerOf, type ManagerTools, manager, type Place, refused } from "./manager.ts";

const text = z.string().min(1);
const where = { vault_addr: z.url({ protocol: /^https?$/ }), vault_namespace: text.nullish() };
const auth = z.discriminatedUnion("vault_auth_type", [
  z.object({ vault_auth_type: z.literal("token"), ...where, vault_token: text }),
  z.object({ vault_auth_type: z.literal("approle"), ...where, vault_role_id: text, vault_secret_id: text }),
  z.object({ vault_auth_type: z.literal("kubernetes"), ...where, vault_role: text }),
]);
type Auth = z.output<typeof auth>;

/** HashiCorp Vault and what speaks its API: secrets of its key-value engines, of either version. */
export default manager<Auth>({
  auth,
  masked: ["vault_token", "vault_secret_id"],
  addresses: ({ vault_addr }) => ({ vault_addr }),
  showsMachine: ({ vault_auth_type }) => vault_auth_type === "kubernetes",
  refusePath: (path) =>
    path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..")
      ? undefined
      : "is a mount and a path in it: kv/data/openai",
  open(place, tools) {
    const { trusted } = place;
    const vault = vaultOf(place.auth, tools.ask, trusted);
    let token = tokenOf(place, tools, vault);
    const read = async (shown: string) => vault.read(await pathIn(vault, shown, place.path), shown);
    return async () => {
      const shown = (await token()).text;
      let { status, body } = await read(shown);
      if (status === 403 && place.auth.vault_auth_type !== "token") {
        // A token that was had by logging in may have been revoked before its time.
        token = tokenOf(place, tools, vault);
        ({ status, body } = await read((await token()).text));
      }
      if (status !== 200) throw refused(status, "a read of the secret");
      return new SecretContent(membersIn(body));
    };
  },
});

interface Vault {
  read(path: string, token: string): ReturnType<typeof answerOf>;
  login(method: string, body: object): Promise<{ readonly text: string; readonly expiresAt: number }>;
}

function vaultOf({ vault_addr, vault_namespace }: Auth, ask: Ask, trusted: boolean): Vault {
  const base = vault_addr.replace(/\/+$/, "");
  const namespace = vault_namespace ? { "x-vault-namespace": vault_namespace } : {};
  const asked = (path: string, more: Pick<OutboundRequest, "method" | "headers" | "body">) =>
    answerOf(ask, { ...more, url: `${base}/v1/${path}`, headers: { ...namespace, ...more.headers }, trusted });
  return {
    read: (path, token) => asked(encoded(path), { method: "GET", headers: { "x-vault-token": token } }),
    async login(method, body) {
      const headers = { "content-type": "application/json" };
      const answer = await asked(`auth/${method}/login`, { method: "POST", headers, body: JSON.stringify(body) });
      if (answer.status !== 200) throw refused(answer.status, `a login by ${method}`);
      const { client_token, lease_duration } = isRecord(answer.body.auth) ? answer.body.auth : {};
      if (typeof client_token !== "string") throw refused(answer.status, `a login by ${method}`, "without a token");
      // A lease of 0 does not end.
      const seconds = Number(lease_duration) || 86_400;
      return { text: client_token, expiresAt: Date.now() + seconds * 1_000 };
    },
  };
}

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** The token to show: the given one, or one had by logging in and kept while it is good. */
function tokenOf({ auth }: Place<Auth>, { options }: ManagerTools, vault: Vault) {
  switch (auth.vault_auth_type) {
    case "token":
      return async () => ({ text: auth.vault_token });
    case "approle": {
      const { vault_role_id: role_id, vault_secret_id: secret_id } = auth;
      return tokenSource({ fetch: () => vault.login("approle", { role_id, secret_id }) });
    }
    case "kubernetes": {
      const { vault_role: role } = auth;
      const jwt = () => machineToken(options.kubernetesTokenFile);
      return tokenSource({ fetch: async () => vault.login("kubernetes", { role, jwt: await jwt() }) });
    }
  }
}

/** The file is read each time: the platform replaces what it holds. */
const machineToken = (file: string): Promise<string> =>
  readFile(file, "utf8").then(
    (content) => content.trim(),
    (cause: NodeJS.ErrnoException) => {
      const message = `The service account's token in ${file} cannot be read (${cause.code}).`;
      throw new GatewayError("secret_unresolved", message, {}, { cause });
    },
  );

/** In an engine of version 2 secrets lie below `data`, which people leave out: the vault says which one it is. */
async function pathIn(vault: Vault, token: string, path: string): Promise<string> {
  if (/^.+\/data\/./.test(path)) return path;
  const { status, body } = await vault.read(`sys/internal/ui/mounts/${path}`, token);
  const mount = status === 200 && isRecord(body.data) ? body.data : {};
  const { path: name, options } = mount;
  const second = isRecord(options) && options.version === "2";
  if (!second || typeof name !== "string" || !path.startsWith(name)) return path;
  return `${name}data/${path.slice(name.length)}`;
}

/** Version 2 puts the members of a secret beside what is known of its version. */
function membersIn({ data }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!isRecord(data)) throw new GatewayError("secret_unresolved", "Its answer holds no secret.");
  return isRecord(data.data) && isRecord(data.metadata) ? data.data : data;
}
