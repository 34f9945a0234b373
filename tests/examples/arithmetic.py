"""Value of a short arithmetic text, by walking its syntax tree: numbers, + - * / **, √ and π; nothing is evaluated."""

import ast
import math
import operator
import re
from collections.abc import Callable

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}


def value(text: str) -> float:
    """The number that a text such as `2+2√3`, `13/2` or `6π` names.  Raises: ValueError for anything else."""
    text = text.replace("×", "*").replace("−", "-").replace("^", "**").rstrip("°").replace("π", "√π")
    text = re.sub(r"(?<=[\d)])√", "*√", text)  # a factor in front of a root or of π
    text = re.sub(r"√(\d+|\()", r"sqrt \1", text).replace("√π", "pi")
    text = re.sub(r"sqrt (\d+)", r"sqrt(\1)", text).replace("sqrt (", "sqrt(")
    try:
        return _walk(ast.parse(text.strip(), mode="eval").body)
    except SyntaxError as error:
        raise ValueError(f"not arithmetic: {text}") from error


def _walk(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id="pi"):
            return math.pi
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_walk(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_walk(left), _walk(right))
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument], keywords=[]):
            return math.sqrt(_walk(argument))
    raise ValueError(f"not arithmetic: {ast.dump(node)}")
