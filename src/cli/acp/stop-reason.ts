/** Ends of turns in the words of the protocol. */
import type { RequestError, StopReason } from '@agentclientprotocol/sdk';
import type { TurnEnd } from '../../host/doors/turn-ends.ts';
import { createRequestError } from './request-errors.ts';

/** Words of the protocol for the end of a turn; a failure is an error of the request. */
export function toStopReason({ outcome, error }: TurnEnd): StopReason | RequestError {
	if (outcome === 'done') {
		return 'end_turn';
	}
	if (outcome === 'stopped') {
		return 'cancelled';
	}
	switch (error?.code) {
		case 'ITERATION_LIMIT':
			return 'max_turn_requests';
		case 'MODEL_REFUSED':
			return 'refusal';
		default:
			return createRequestError(error ?? { code: 'INTERNAL', message: 'the turn was interrupted' });
	}
}
