import { GatewayError, googleCredential, isRecord, Secret, z } from "../../../core/index.ts";
import { SecretContent } from "../secret-content.ts";
import { answerOf, manager, refused, wordIn } from "./manager.ts";

const gcp_project_id = z.string().regex(/^[a-z0-9][a-z0-9.:-]*$/, "must be the id of a project");
const auth = z.discriminatedUnion("gcp_auth_type", [
  z.object({
    gcp_auth_type: z.literal("serviceAccount"),
    gcp_service_account_json: z.union([
      z.string().min(1),
      z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value)),
    ]),
    gcp_project_id,
  }),
  z.object({ gcp_auth_type: z.literal("workload"), gcp_project_id }),
]);
type Auth = z.output<typeof auth>;

const name = /^[A-Za-z0-9_-]{1,255}(?:\/versions\/(?:\d+|[A-Za-z0-9_-]+))?$/;

/** Google Secret Manager: the latest version of a secret of a project, by its name. */
export default manager<Auth>({
  auth,
  masked: ["gcp_service_account_json"],
  showsMachine: ({ gcp_auth_type }) => gcp_auth_type === "workload",
  refusePath: (path) => (name.test(path) ? undefined : "is the name of a secret: letters, digits, _ and -"),
  open({ auth: given, path }, { ask, options }) {
    const version = path.includes("/versions/") ? path : `${path}/versions/latest`;
    const url = `${options.googleUrl}/v1/projects/${given.gcp_project_id}/secrets/${version}:access`;
    const credential = googleCredential(
      given.gcp_auth_type === "workload"
        ? { name: "secret-references", type: "workload" }
        : {
            name: "secret-references",
            type: "serviceAccount",
            account: new Secret(given.gcp_service_account_json),
            option: "gcp_service_account_json",
            tokenUrl: options.googleTokenUrl,
          },
    );
    return async () => {
      if (!credential)
        throw new GatewayError("secret_unresolved", "gcp_service_account_json has no client_email and private_key.");
      // The address is the vendor's, or the operator's.
      const { status, body } = await answerOf(ask, { method: "GET", url, headers: await credential(), trusted: true });
      if (status !== 200)
        throw refused(status, "an access of the secret", wordIn(isRecord(body.error) && body.error.status));
      const data = isRecord(body.payload) ? body.payload.data : undefined;
      if (typeof data !== "string") throw new GatewayError("secret_unresolved", "Its answer holds no secret.");
      return new SecretContent(Buffer.from(data, "base64").toString());
    };
  },
});
