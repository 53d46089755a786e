import { patronusDetector } from "../../partners/patronus.ts";

export default patronusDetector({ evaluator: "pii", finds: "personal data" });
