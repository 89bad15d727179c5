/**
 * Tells whether a question may be answered yet. In the first moment of a new question, a click or key may still be
 * meant for the last one; clicks that continue without a pause are never taken for an answer.
 */
import { useEffect, useRef, useState } from 'preact/hooks';

const FIRST_SETTLE_MS = 500;
/** For a question that stands where another was answered: longer than between two clicks of somebody in a hurry. */
const NEXT_SETTLE_MS = 900;

interface Settled {
	readonly isSettled: boolean;
	/** Somebody tried to answer too early: the moment begins anew. */
	disturb(): void;
}

export function useSettled(id: string | undefined): Settled {
	const [settled, setSettled] = useState<string | undefined>(undefined);
	const [disturbances, setDisturbances] = useState(0);
	const last = useRef<string | undefined>(undefined);
	const isNext = useRef(false);
	if (last.current !== id) {
		isNext.current = last.current !== undefined && id !== undefined;
		last.current = id;
	}
	useEffect(() => {
		if (settled === id) {
			return undefined;
		}
		const timer = setTimeout(() => setSettled(id), isNext.current ? NEXT_SETTLE_MS : FIRST_SETTLE_MS);
		return () => clearTimeout(timer);
	}, [id, disturbances]);
	return { isSettled: settled === id, disturb: () => setDisturbances((count) => count + 1) };
}
