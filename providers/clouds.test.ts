import { expect, it } from "vitest";
import { optionsByField } from "../core/provider-kit/brought.ts";
import type { ProviderDefinition } from "../core/provider-kit/provider-definition.ts";
import azureAi from "./azure-ai/index.ts";
import azureOpenAi from "./azure-openai/index.ts";
import vertex from "./vertex-ai/index.ts";

const entra =
  "azure_auth_mode azure_ad_token azure_entra_tenant_id azure_entra_client_id azure_entra_client_secret " +
  "azure_entra_scope azure_managed_client_id azure_workload_client_id azure_workload_tenant_id";

/** The fields of routing-config.md section 2.2, whose headers are those of inference-api.md section 3.6. */
it.each<[ProviderDefinition, string]>([
  [
    azureOpenAi,
    `${entra} resource_name azure_resource_name deployment_id azure_deployment_id api_version azure_api_version ` +
      "deployments azure_deployment_config azure_model_name openai_beta",
  ],
  [
    azureAi,
    `${entra} azure_foundry_url azure_endpoint_name azure_region azure_deployment_type azure_deployment_name ` +
      "azure_api_version azure_extra_params azure_extra_parameters provider_responses_proxy anthropic_version " +
      "anthropic_beta",
  ],
  [
    vertex,
    "vertex_project_id vertex_region vertex_auth_type vertex_service_account_json vertex_storage_bucket_name " +
      "provider_batch_endpoint provider_file_name provider_model anthropic_version anthropic_beta",
  ],
])("takes the fields of $name from routing configs", (definition, fields) => {
  expect([...optionsByField(definition).keys()].sort()).toEqual(fields.split(" ").sort());
  const shape = Object.keys(definition.options.shape);
  for (const option of optionsByField(definition).values()) expect(shape).toContain(option);
});

it.each([true, false])("provisioned throughput of Vertex AI is paid for as a whole where one says so: %s", (says) => {
  const options = vertex.options.parse({ projectId: "p", region: "us-central1", skipProvisionedCost: says });
  expect(vertex.paidTiers?.(options as never)).toEqual(says ? ["provisioned"] : []);
  expect(vertex.storedFields).toMatchObject({ skipProvisionedCost: ["vertex_skip_ptu_cost_attribution"] });
});
