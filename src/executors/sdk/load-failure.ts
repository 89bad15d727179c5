/** Why a capability could not even begin: its module does not parse, is not there, or holds no function to be run. */
import type { LoadCode } from '../../protocol/execution/execution.ts';

export class LoadFailure extends Error {
	override readonly name = 'LoadFailure';
	readonly code: LoadCode;

	constructor(code: LoadCode, message: string) {
		super(message);
		this.code = code;
	}
}
