// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapGasFixture} from "../helpers/CoreSwapGasFixture.sol";
import {StateAccess} from "../helpers/StateAccess.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @notice Counts the accounts and slots that the swaps of {CoreSwapGasTest} touch, under the same names, to explain
/// their gas. Recording counts accesses and does not measure gas.
contract StateAccessGasTest is CoreSwapGasFixture, StateAccess {
    function test_Gas_StateAccess_RWAToStablecoin() public {
        _countSwap("RWA to stablecoin, exempt", user, receiver, _leg(1, AMOUNT, false));
        _chargeProtocolFee(usdc.id);
        _countSwap("RWA to stablecoin, protocol fee paid to the vault", user, receiver, _leg(1, AMOUNT, false));
    }

    function test_Gas_StateAccess_TreasuryDeposit_Exempt() public {
        _countSwap("RWA to treasury, exempt, first deposit ever", alice, alice, _depositLeg());
    }

    function test_Gas_StateAccess_TreasuryDeposit_WithProtocolFee() public {
        _chargeProtocolFee(trsy);
        ICoreSwap.SwapInputs memory leg = _depositLeg();
        _countSwap("RWA to treasury, protocol fee, first deposit and first fee ever", alice, alice, leg);
        _countSwap("RWA to treasury, protocol fee, both joining the day's records", alice, alice, leg);
    }

    function _countSwap(string memory name, address account, address to, ICoreSwap.SwapInputs memory leg) private {
        ICoreSwap.SwapInputs[] memory legs = _one(leg);
        bytes memory data = abi.encodeCall(core.swap, (account, to, legs, _noPermit()));
        vm.prank(account);
        _startCounting();
        core.swap(account, to, legs, _noPermit());
        Touched memory touched = _stopCounting(address(core));
        _emit(name, "calldata gas", _calldataGas(data));
        _emit(name, "accounts", touched.accounts);
        _emit(name, "slots", touched.slots);
        _emit(name, "slots changed", touched.changedSlots);
        _emit(name, "slots filled", touched.filledSlots);
    }

    /// @dev EIP-2028: 16 gas per byte, 4 per zero byte.
    function _calldataGas(bytes memory data) private pure returns (uint256 gasUsed) {
        for (uint256 i = 0; i < data.length; ++i) {
            gasUsed += data[i] == 0 ? 4 : 16;
        }
    }

    function _emit(string memory name, string memory what, uint256 count) private {
        vm.snapshotValue("StateAccess", string.concat(name, ": ", what), count);
    }
}
