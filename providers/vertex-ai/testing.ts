/** A provider whose storage is at the stand-in, too. */
export const keeping = {
  apiKey: "token-0123",
  baseUrl: "{url}",
  storageUrl: "{url}/storage",
  projectId: "p",
  region: "us-central1",
};
export const prefix = "/v1/projects/p/locations/us-central1";
/** A file there, by its id. */
export const fileId = encodeURIComponent("gs://bucket-1/dir/in.jsonl");
