/** A button that asks once more in its own place; dialogs of the browser do not exist in a webview. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useView } from '../actions/view-context.ts';

interface ConfirmButtonProps {
	readonly class: string;
	readonly label: string;
	readonly question: string;
	/** Name of the act: the answer that confirms it. */
	readonly act: string;
	readonly children: ComponentChildren;
	onConfirm(): void;
}

export function ConfirmButton({ class: className, label, question, act, children, onConfirm }: ConfirmButtonProps) {
	const { t } = useView();
	const [isAsking, setIsAsking] = useState(false);
	const confirm = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		if (isAsking) {
			confirm.current?.focus();
		}
	}, [isAsking]);
	if (!isAsking) {
		return (
			<button type="button" class={className} title={label} aria-label={label} onClick={() => setIsAsking(true)}>
				{children}
			</button>
		);
	}
	return (
		<span
			class="confirm"
			role="group"
			aria-label={question}
			onKeyDown={(event) => {
				if (event.key === 'Escape') {
					event.stopPropagation();
					setIsAsking(false);
				}
			}}
		>
			<span class="confirm-question">{question}</span>
			<span class="confirm-answers">
				<button
					ref={confirm}
					type="button"
					class="button danger"
					onClick={() => {
						setIsAsking(false);
						onConfirm();
					}}
				>
					{act}
				</button>
				<button type="button" class="button secondary" onClick={() => setIsAsking(false)}>
					{t('Cancel')}
				</button>
			</span>
		</span>
	);
}
