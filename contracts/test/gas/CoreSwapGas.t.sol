// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CoreSwapGasFixture} from "../helpers/CoreSwapGasFixture.sol";
import {SwapPermit} from "../helpers/SwapPermit.sol";
import {ICoreSwap} from "src/interfaces/ICoreSwap.sol";

/// @notice Measures the whole-transaction gas of swaps under the conditions of {CoreSwapGasFixture}. A difference from
/// the committed figures is an error.
/// forge-config: default.isolate = true
contract CoreSwapGasTest is CoreSwapGasFixture {
    string private constant GROUP = "CoreSwap";

    function test_Gas_RWAToStablecoin_Exempt() public {
        _swap(_leg(1, AMOUNT, false));
        _snapshot("RWA to stablecoin, exempt");
    }

    function test_Gas_RWAToStablecoin_WithProtocolFee() public {
        _chargeProtocolFee(usdc.id);
        _swap(_leg(1, AMOUNT, false));
        _snapshot("RWA to stablecoin, protocol fee paid to the vault");
    }

    function test_Gas_RWAToStablecoin_SignedPermit() public {
        _swapSigned(0);
        _snapshot("RWA to stablecoin, exempt, user's first permit");
        _swapSigned(1);
        _snapshot("RWA to stablecoin, exempt, user's second permit");
    }

    function test_Gas_RWAToStablecoin_SignedPermitWithProtocolFee() public {
        _chargeProtocolFee(usdc.id);
        _swapSigned(0);
        _snapshot("RWA to stablecoin, protocol fee, user's first permit");
        _swapSigned(1);
        _snapshot("RWA to stablecoin, protocol fee, user's second permit");
    }

    function test_Gas_Batch_MarginalLeg() public {
        uint256 one = _swapLegs(1);
        uint256 two = _swapLegs(2);
        uint256 three = _swapLegs(3);
        vm.snapshotValue(GROUP, "second equal leg of a batch, exempt", two - one);
        vm.snapshotValue(GROUP, "third equal leg of a batch, exempt", three - two);
        assertLt(three - two, one, "a leg in a batch costs less than a single leg");
    }

    /// @dev The most expensive further leg: only the transaction's and CoreSwap's own state is warm.
    function test_Gas_Batch_LegOfOtherAssets() public {
        vm.startPrank(operator);
        core.setRwaPriceAdapter(bond.id, address(_nav(104.25e18)));
        core.setProtocolFeeExempt(usdx.id, true);
        vm.stopPrank();
        usdx.token.mint(receiver, 1);
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](2);
        legs[0] = _leg(1, AMOUNT, false);
        uint256 one = _swapGas(_one(legs[0]));
        legs[1] = ICoreSwap.SwapInputs(1, bond.id, usdc.id, usdc.id, 10e6, 0);
        vm.snapshotValue(GROUP, "further leg of another RWA, exempt", _swapGas(legs) - one);
        legs[1] = ICoreSwap.SwapInputs(1, bond.id, usdx.id, usdx.id, 10e6, 0);
        vm.snapshotValue(GROUP, "further leg of another RWA, stablecoin and LP, exempt", _swapGas(legs) - one);
    }

    function test_Gas_TreasuryDeposit_Exempt() public {
        _swapAs(alice, alice, _depositLeg());
        _snapshot("RWA to treasury, exempt, first deposit ever");
        _swapAs(alice, alice, _depositLeg());
        _snapshot("RWA to treasury, exempt, joining the day's record");
    }

    function test_Gas_TreasuryDeposit_WithProtocolFee() public {
        _chargeProtocolFee(trsy);
        _swapAs(alice, alice, _depositLeg());
        _snapshot("RWA to treasury, protocol fee, first deposit and first fee ever");
        _swapAs(alice, alice, _depositLeg());
        _snapshot("RWA to treasury, protocol fee, both joining the day's records");
        assertEq(delegate.getWithheldCredits(vault).length, 1);
    }

    function _swapLegs(uint256 count) private returns (uint256 gasUsed) {
        ICoreSwap.SwapInputs[] memory legs = new ICoreSwap.SwapInputs[](count);
        for (uint256 i = 0; i < count; ++i) {
            legs[i] = _leg(1, AMOUNT, false);
        }
        return _swapGas(legs);
    }

    function _swapGas(ICoreSwap.SwapInputs[] memory legs) private returns (uint256 gasUsed) {
        vm.prank(user);
        core.swap(user, receiver, legs, _noPermit());
        return vm.lastCallGas().gasTotalUsed;
    }

    function _swapSigned(uint256 nonce) private {
        ICoreSwap.SwapInputs[] memory legs = _one(_leg(1, AMOUNT, false));
        uint256 deadline = block.timestamp + 1 hours;
        bytes32 digest = SwapPermit.digest(core, user, broker, receiver, legs, nonce, deadline);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(userKey, digest);
        vm.prank(broker);
        core.swap(user, receiver, legs, ICoreSwap.ApprovalPermit(deadline, abi.encodePacked(r, s, v)));
    }

    function _snapshot(string memory name) private {
        vm.snapshotGasLastCall(GROUP, name);
    }
}
