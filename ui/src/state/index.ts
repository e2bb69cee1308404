export { useForm, type FormState } from "./form";
export { MadeIds } from "./made_ids";
export { Optimistic, unsavedCount, type Failed, type OptimisticParts, type Pending, type SendContext } from "./optimistic";
export { Resource, useResource } from "./resource";
export { ruleDays } from "./rule_days";
export { useOptimistic } from "./use_optimistic";
export { useRequest, type Request } from "./use_request";
export { useSendsMail } from "./use_sends_mail";
export { tagOf, Versions } from "./versions";
