/** The end of an execution as those who asked for it are told: without secrets (S3-11). */
import type { CapabilityExecutionResult, LeftProcess } from '../../../protocol/execution/execution.ts';
import type { Redactor } from '../../../trust/record/redaction/redactor.ts';
import type { ExecutionEnd } from './side-execution-options.ts';

export function toCapabilityResult(
	{ id, path }: { readonly id: string; readonly path: string },
	end: ExecutionEnd,
	leftovers: readonly LeftProcess[],
	redactor: Redactor,
): CapabilityExecutionResult {
	const left = leftovers.length === 0 ? {} : { leftovers };
	if (end.status === 'completed') {
		return {
			success: true,
			executionId: id,
			...(end.value === undefined ? {} : { result: redactor.redactDeep(end.value) }),
			...(end.additionalContext === undefined ? {} : { additionalContext: redactor.redactDeep(end.additionalContext) }),
			...left,
			capabilityPath: path,
		};
	}
	const { code, message, facts } = end.error;
	const clean = redactor.redactDeep(facts) as Record<string, unknown>;
	return {
		success: false,
		executionId: id,
		error: { code, message: redactor.redact(message), facts: clean },
		...left,
		capabilityPath: path,
	};
}
