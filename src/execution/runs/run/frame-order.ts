/** Which frame of an executor may come when. Pure: what follows from the answer is the execution's affair. */
import { EXECUTION_PROTOCOL, type ExecutionStatus, type ExecutorFrame } from '../../../protocol/execution/execution.ts';

type FrameVerdict =
	| { readonly kind: 'taken' }
	/** The frame was on its way when the execution was stopped, which is no fault. */
	| { readonly kind: 'late'; readonly what: string }
	| { readonly kind: 'violation'; readonly problem: string };

/** `callId`: of the one call that the execution was given. */
export function judgeFrame(frame: ExecutorFrame, status: ExecutionStatus, callId: string): FrameVerdict {
	if (status === 'starting') {
		return judgeFirst(frame);
	}
	if (status !== 'running') {
		const what = `${frame.type} while ${status}, not taken`;
		return status === 'stopping' || status === 'timeout' ? { kind: 'late', what } : createViolation(what);
	}
	if (frame.type === 'ready') {
		return createViolation('ready twice');
	}
	return frame.type !== 'dispatch' && frame.callId !== callId
		? createViolation(`${frame.type} of another call, "${frame.callId}"`)
		: takenVerdict;
}

function judgeFirst(frame: ExecutorFrame): FrameVerdict {
	if (frame.type !== 'ready') {
		return createViolation(`${frame.type} before ready`);
	}
	return frame.protocol === EXECUTION_PROTOCOL
		? takenVerdict
		: createViolation(`it speaks protocol ${frame.protocol}, the host ${EXECUTION_PROTOCOL}`);
}

const takenVerdict: FrameVerdict = { kind: 'taken' };

function createViolation(problem: string): FrameVerdict {
	return { kind: 'violation', problem };
}
