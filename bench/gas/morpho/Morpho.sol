// SPDX-License-Identifier: MIT
pragma solidity 0.8.19;

// Compiles the singleton, and the rate model and oracle that its own tests use.
import {Morpho} from "@morpho-org/morpho-blue/src/Morpho.sol";
import {IrmMock} from "@morpho-org/morpho-blue/src/mocks/IrmMock.sol";
import {OracleMock} from "@morpho-org/morpho-blue/src/mocks/OracleMock.sol";
