import type { VideoWire } from "../model/video-wire.ts";

/** Videos as the vendor of GLM models makes them: a result that comes later, by its id, which does not say how long they are (docs.z.ai, "Retrieve Result"). */
export const glmVideos: VideoWire = {
  begun: /^\/videos\/generations$/,
  told: /^\/async-result\/([^/]+)$/,
  id: ["id"],
  over: [["task_status", "SUCCESS"]],
  made: ["video_result"],
  model: ["model"],
  askedSeconds: ["duration"],
  askedSize: ["size"],
};
