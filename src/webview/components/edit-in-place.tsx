/** Field for a text that is edited in its own place: it has the focus at once, Enter saves and Escape cancels. */
import { useLayoutEffect, useRef } from 'preact/hooks';

interface EditInPlaceProps {
	readonly class: string;
	readonly label: string;
	readonly text: string;
	/** `line`: leaving the field saves, too. `lines`: Enter begins the next line, so Ctrl+Enter saves. */
	readonly size: 'line' | 'lines';
	readonly maxLength?: number;
	onInput?(text: string): void;
	onSave(text: string): void;
	onCancel(): void;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

export function EditInPlace({
	class: className,
	label,
	text,
	size,
	onInput,
	onSave,
	onCancel,
	...rest
}: EditInPlaceProps) {
	const input = useRef<HTMLInputElement>(null);
	const area = useRef<HTMLTextAreaElement>(null);
	const isLeft = useRef(false);
	useLayoutEffect(() => {
		input.current?.select();
		area.current?.focus();
	}, []);
	const isLine = size === 'line';
	const listeners = {
		onInput: (event: { readonly currentTarget: Field }) => onInput?.(event.currentTarget.value),
		onKeyDown(event: KeyboardEvent & { readonly currentTarget: Field }) {
			const saves = event.key === 'Enter' && (isLine || event.ctrlKey || event.metaKey);
			if (!saves && event.key !== 'Escape') {
				return;
			}
			event.preventDefault();
			if (isLine) {
				// Around it, Escape closes the list of threads; and the field that goes must not save once more.
				event.stopPropagation();
				isLeft.current = true;
			}
			if (saves) {
				onSave(event.currentTarget.value);
			} else {
				onCancel();
			}
		},
	};
	const common = { class: className, 'aria-label': label, defaultValue: text, ...rest, ...listeners };
	return isLine ? (
		<input
			{...common}
			ref={input}
			onBlur={(event) => {
				if (!isLeft.current) {
					isLeft.current = true;
					onSave(event.currentTarget.value);
				}
			}}
		/>
	) : (
		<textarea {...common} ref={area} />
	);
}
